import { Injectable } from '@nestjs/common';
import { IsOptional } from 'class-validator';

import { IsText } from '../access/dto/is-text.js';
import { IsUuid } from '../access/dto/is-uuid.js';
import { readDto } from '../access/dto/read-dto.js';
import type { Uuid } from '../domain/uuid.js';
import { FileAddresses } from '../files/addresses/file-addresses.js';
import { FilesController } from '../files/addresses/files.controller.js';
import { EventOperations } from '../intake/operations/event-operations.js';
import { EventsController } from '../intake/operations/events.controller.js';
import type { Procedures } from './procedure.js';
import { rulesOfRoute } from './rules-of-route.js';

class EventIdDto {
  @IsUuid()
  eventId: Uuid;

  /** Of upstream's clients: whether to wait for the index, which is never behind here. */
  @IsOptional()
  waitFor?: unknown;

  @IsOptional()
  customActionType?: unknown;
}

class FilePathDto {
  @IsText()
  filePath: string;
}

/** `event.get` and `event.file.getPresignedUrl` (I-4). */
@Injectable()
export class RecordProcedures {
  constructor(
    private readonly operations: EventOperations,
    private readonly addresses: FileAddresses,
  ) {}

  procedures(): Procedures {
    return {
      'event.get': {
        kind: 'query',
        ...rulesOfRoute(EventsController, 'get'),
        run: async (input, call) => this.operations.read((await readDto(EventIdDto, input)).eventId, call),
      },
      'event.file.getPresignedUrl': {
        kind: 'query',
        ...rulesOfRoute(FilesController, 'url'),
        run: async (input, { caller, publicAddress }) => {
          const { filePath } = await readDto(FilePathDto, input);
          return { presignedURL: await this.addresses.ofPath(filePath, { caller, publicAddress }) };
        },
      },
    };
  }
}
