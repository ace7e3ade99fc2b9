import { combined, listed, type Culture } from './culture.js';

/** French names. */
export const FRENCH: Culture = {
  male: listed(`
    Jean, François, André, René, Étienne, Benoît, Gaël, Jérôme, Noël, Rémi, Loïc, Frédéric, Théo, Aimé, Médard,
    Dieudonné, Maël, Anaël, Hervé, Joël, Côme, Désiré, Mathéo, Rodrigue
  `),
  female: listed(`
    Marie, Hélène, Zoé, Anaïs, Françoise, Noémie, Cécile, Solène, Thérèse, Maëlle, Chloé, Irène, Clémence, Désirée,
    Gaëlle, Océane, Eugénie, Cœlia, Bénédicte, Adélaïde, Aïcha, Inès, Félicité
  `),
  surnames: [
    ...listed(`
      Lefèvre, Lefebvre, Béranger, Lecœur, Gérard, Dubois, Hébert, Lemaître, Boëly, Guérin, Maçon, Renaud, Renault,
      Crèvecœur, Perrin, Forêt, Château, Bœuf, Ouédraogo, N’Guessan, Traoré, Sissoko, Koné, Kouamé, D’Hondt, Légaré,
      Thériault, Gagné, Bélanger, Levêque
    `),
    ...combined(
      listed('Mont, Beau, Clair, Grand, Haut, Roche, Val, Saint-, Bois, Fon, Mar, Bel, Cour, Char'),
      listed('fort, champ, mont, lieu, pré, val, née, tier, gnon, bœuf, rivière, tagne, château, puis'),
    ),
  ],
  joint: '-',
  doubleSurnames: 0.04,
};
