import { Module } from '@nestjs/common';

import { RegistrationNumbers } from './write/registration-numbers.js';

/** Makes registration numbers. */
@Module({ providers: [RegistrationNumbers], exports: [RegistrationNumbers] })
export class RegistrationNumbersModule {}
