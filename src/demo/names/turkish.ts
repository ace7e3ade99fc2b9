import { combined, listed, type Culture } from './culture.js';

/** Turkish and Azerbaijani names. */
export const TURKISH: Culture = {
  male: listed(`
    Mehmet, Mustafa, Yağız, Işık, Oğuz, Çağlar, Kâzım, İbrahim, Barış, Ömer, Şükrü, Hüseyin, Kıvanç, Umut, Tuğrul,
    Gökhan, Sıtkı, Emre, Doğan, Ünal, Elçin, Əli, Rəşad, Yiğit
  `),
  female: listed(`
    Ayşe, Fatma, Işıl, Gül, Çiğdem, Yıldız, Şebnem, Nazlı, Özlem, İpek, Tuğba, Aslı, Hatice, Gönül, Irmak, Sıla,
    Ümmühan, Müge, Pınar, Leylâ, Günəş, Sevgi, Bahar, Zeynep
  `),
  surnames: [
    ...listed(`
      Yılmaz, Kaya, Demir, Çelik, Şahin, Yıldırım, Öztürk, Kılıç, Aslan, Çetin, Koç, Özdemir, Arıkan, Işıkçı, Ağaoğlu,
      Güneş, Kızılırmak, Sarı, Əliyev, Türkoğlu, Uğurlu, Çakır, Ünsal, Bıçakçı
    `),
    ...combined(
      listed('Ak, Kara, Öz, Er, Gök, Alt, Kızıl, Bay, Dem, Tan, Yurt, Taş, Doğ'),
      listed('oğlu, ın, türk, dağ, can, soy, ışık, kaya, taş, alp, çı, gün, ırmak'),
    ),
  ],
  joint: ' ',
  doubleSurnames: 0.02,
};
