import { combined, listed, type Culture } from './culture.js';

const GIVEN = listed('Sigurð, Søren, Lars, Þór, Björn, Jón, Håkan, Øyvind, Åge, Guðmund, Leif, Erik, Anders');

/** Nordic and Baltic names. */
export const NORDIC: Culture = {
  male: listed(`
    Søren, Lars, Åke, Øyvind, Björn, Bjørn, Þórður, Sigurður, Jón, Håkon, Jørgen, Mikael, Väinö, Eeli, Guðjón, Rógvi,
    Ragnar, Nils, Davíð, Ævar, Ørjan, Pär, Göran, Tõnu, Jānis
  `),
  female: listed(`
    Åse, Kirsten, Guðrún, Bjørg, Sigríður, Märta, Ragnhild, Þóra, Solveig, Sølvi, Ingrid, Aino, Ásta, Maj-Britt, Æsa,
    Kätlin, Helga, Hæge, Ólöf, Tuuli, Päivi, Līga, Ragnheiður, Freyja
  `),
  surnames: [
    ...listed(`
      Sørensen, Jørgensen, Ångström, Ørsted, Nygård, Bækkelund, Kjærgaard, Lindström, Mäkinen, Hämäläinen, Østergaard,
      Skjærvø, Bjørnstad, Þorsteinsson, Hägg, Åkesson, Kærulf, Ødegård, Sjöberg, Tõnisson, Bērziņš, Kalniņš,
      Žukauskas, Mørk, Næss, Vågen
    `),
    ...combined(GIVEN, ['sen', 'sson', 'son', 'dóttir', 'sdatter', 'snes']),
    ...combined(
      listed('Lind, Berg, Sjø, Høy, Ek, Åker, Skog, Dal, Strøm, Øst, Hæg, Bjørk, Svart'),
      listed('gren, kvist, ström, lund, holm, gård, bæk, vik, mark, dahl, sæter'),
    ),
  ],
  joint: '-',
  doubleSurnames: 0.03,
};
