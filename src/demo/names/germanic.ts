import { combined, listed, type Culture } from './culture.js';

/** German and Dutch names. */
export const GERMANIC: Culture = {
  male: listed(`
    Jürgen, Hans, Götz, Björn, Günther, Karl, Matthias, Jörg, Lukas, Stefan, Stephan, Wolfgang, Jan, Pieter, Daniël,
    Sönke, Uwe, Friedrich, Rüdiger, Thijs, Joost, Ägidius, Noël, Till
  `),
  female: listed(`
    Käthe, Anna, Bärbel, Jördis, Gisela, Waltraud, Sabine, Renée, Dörte, Ingeborg, Hannelore, Änne, Zoë, Lotte,
    Wiebke, Grietje, Ute, Heidi, Sophie, Sofie, Margarethe, Liesl, Kunigunde, Marlies
  `),
  surnames: [
    ...listed(`
      Müller, Schmidt, Groß, Weiß, Schäfer, König, Köhler, Krüger, Böhm, Strauß, Meißner, Jäger, Vogt, van Dijk,
      de Vries, Großmann, Preuß, Fuß, Lüdtke, Ößner, Möller, Gaßner, Meyer, Meier, Maier, von Brünn, Kießling, Süß,
      Übelacker, Haßler
    `),
    ...combined(
      listed('Grün, Stein, Rosen, Weißen, Schön, Ober, Hohen, Eich, Mühl, Linden, Feld, Birken, Wald'),
      listed('berger, bauer, mann, hofer, müller, bach, thaler, fels, reuter, hüber, stößer, acker, heim'),
    ),
  ],
  joint: '-',
  doubleSurnames: 0.05,
};
