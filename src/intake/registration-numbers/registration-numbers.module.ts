import { Module } from '@nestjs/common';

import { RegistrationNumbers } from './registration-numbers.js';

/** Makes registration numbers. */
@Module({ providers: [RegistrationNumbers], exports: [RegistrationNumbers] })
export class RegistrationNumbersModule {}
