import { combined, listed, type Culture } from './culture.js';

/** Western and southern Slavic names, in Latin letters. */
export const SLAVIC: Culture = {
  male: listed(`
    Łukasz, Jan, Michał, Paweł, Jiří, Tomáš, Đorđe, Krzysztof, Stanisław, Ondřej, Željko, Grzegorz, Matěj, Bartłomiej,
    Miloš, Branko, Rafał, Šimon, Nemanja, Przemysław, Zdeněk, Siniša, Mihály, Győző
  `),
  female: listed(`
    Agnieszka, Małgorzata, Anđela, Zofia, Věra, Božena, Jadwiga, Živa, Kateřina, Łucja, Jelena, Hana, Růžena,
    Wioletta, Snežana, Elżbieta, Tereza, Ljiljana, Danica, Štěpánka, Żaneta, Ilona, Erzsébet
  `),
  surnames: [
    ...listed(`
      Nowak, Wałęsa, Dvořák, Novák, Kovač, Wójcik, Kowalczyk, Đoković, Černý, Łapiński, Šimić, Žižka, Mazur, Dąbek,
      Gołąb, Křížek, Petrović, Jovanović, Głód, Wróbel, Říha, Horváth, Sęk, Đurić
    `),
    ...combined(
      listed('Kowal, Wiśniew, Zieliń, Dąbrow, Leszczyń, Majew, Jabłoń, Gór, Brzeziń, Kamiń, Wojciechow, Żół'),
      listed('ski, czyk, ewicz, owicz, ak, owski, ek, iak'),
    ),
    ...combined(listed('Mark, Stanoj, Vuk, Radov, Đuk, Mil, Živk, Bož, Luč, Obrad, Krst, Nikol'), [
      'ović',
      'ić',
      'anović',
      'evski',
      'ec',
      'ar',
      'ovac',
    ]),
  ],
  joint: '-',
  doubleSurnames: 0.04,
  feminine: (surname) => surname.replace(/(?<=sk)i$/u, 'a').replace(/ý$/u, 'á'),
};
