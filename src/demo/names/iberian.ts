import { combined, listed, type Culture } from './culture.js';

/** Portuguese and Spanish names. */
export const IBERIAN: Culture = {
  male: listed(`
    José, João, Juan, António, Luis, Jesús, Ángel, Miguel, Tomás, Íñigo, Sebastián, Andrés, César, Raúl, Joaquín,
    Estêvão, Nuño, Martín, Gonçalo, Óscar, Julián, Simão, Rubén, Vicente, Zé
  `),
  female: listed(`
    María, Ana, Lucía, Inês, Sofía, Begoña, Conceição, Mercè, Fátima, Isabel, Núria, Verónica, Graça, Belén, Ángela,
    Júlia, Itziar, Pilar, Mónica, Catarina, Rocío, Antónia, Luzía, Marisol
  `),
  surnames: [
    ...listed(`
      García, Silva, Fernández, López, Martínez, Sánchez, Gonçalves, Peña, Muñoz, Araújo, Ñandú, Magalhães, Ibáñez,
      Núñez, Simões, Güell, Assunção, Etxebarría, Ordóñez, Leitão, Castañeda, Guimarães, Pérez, Peres, Brandão,
      Rincón, Cañizares, Vázquez, Vásquez, Agüero, Zúñiga
    `),
    ...combined(
      listed('Rodr, Dom, Vel, Alvar, Mend, Gim, Benít, Marqu, Orti, Past, Tav, Carv, Montal, Quint'),
      listed('ínguez, ães, eira, ón, ano, ález, osa, inho, ada, ares, edo, illo, anés, orro'),
    ),
  ],
  joint: ' ',
  doubleSurnames: 0.6,
};
