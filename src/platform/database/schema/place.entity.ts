import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `Place` of the domain: an administrative area or a location. */
@Entity('place')
export class Place {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: 'administrativeArea' | 'location';

  @Column('text')
  name: string;

  @Column('uuid', { name: 'part_of', nullable: true })
  partOf: string | null;

  @Column('text', { name: 'location_type', nullable: true })
  locationType: string | null;
}
