/** A subset of FHIR R4; the page for subscribers lists the deviations. */
interface Coding {
  readonly system: string;
  readonly code: string;
}

export interface CodeableConcept {
  readonly coding: readonly Coding[];
}

interface Meta {
  readonly lastUpdated: string;
  readonly versionId: string;
}

interface Reference {
  readonly reference: string;
  readonly display?: string;
}

export interface Extension {
  readonly url: string;
  readonly valueString?: string;
  readonly valueInteger?: number;
  readonly valueReference?: Reference;
}

export interface Task {
  readonly resourceType: 'Task';
  readonly id: string;
  readonly status: 'ready';
  readonly intent: 'order';
  readonly code: CodeableConcept;
  readonly focus: Reference;
  readonly identifier: readonly { readonly system: string; readonly value: string }[];
  readonly extension: readonly Extension[];
  readonly lastModified: string;
  readonly businessStatus: CodeableConcept;
  readonly meta: Meta;
}

export interface PatientIdentifier {
  readonly type: CodeableConcept;
  readonly value: string;
}

export interface HumanName {
  readonly use: 'en';
  readonly given?: readonly string[];
  readonly family?: readonly string[];
}

export interface Patient {
  readonly resourceType: 'Patient';
  readonly id: string;
  readonly active: true;
  readonly name?: readonly HumanName[];
  readonly gender?: 'male' | 'female' | 'other' | 'unknown';
  readonly birthDate?: string;
  readonly deceasedDateTime?: string;
  readonly multipleBirthInteger?: number;
  readonly identifier?: readonly PatientIdentifier[];
  readonly meta: Meta;
}

export interface DocumentReference {
  readonly resourceType: 'DocumentReference';
  readonly id: string;
  readonly masterIdentifier: { readonly system: string; readonly value: string };
  readonly status: 'current';
  readonly type?: CodeableConcept;
  readonly content: readonly {
    readonly attachment: {
      /** FHIR requires it of data alone. */
      readonly contentType?: string;
      readonly data?: string;
      readonly url?: string;
      readonly title?: string;
    };
  }[];
  readonly subject: { readonly display: string };
  readonly meta: Meta;
}

type ContextResource = Task | Patient | DocumentReference;

export interface ContextBundle {
  readonly resourceType: 'Bundle';
  readonly type: 'document';
  readonly entry: readonly {
    readonly fullUrl: string;
    readonly resource: ContextResource;
  }[];
}
