import { combined, listed, type Culture } from './culture.js';

/** Names of eastern and southern Africa. */
export const BANTU: Culture = {
  male: listed(`
    Joseph, Mwansa, Chanda, Bwalya, Emmanuel, Mulenga, Kelvin, Kondwani, Themba, Moses, Gift, Kabwe, Sipho, Musa,
    Chilufya, Tendai, Bupe, Elijah, Mutale, Lubuto, Juma, Chikondi, Kato, Mbali, Simba, Tawanda, Okello, Baraka,
    Jabulani, Mapalo, Ngoza, Lwazi, Kamau, Odhiambo
  `),
  female: listed(`
    Mary, Chileshe, Mutinta, Grace, Thandiwe, Ruth, Misozi, Natasha, Mwila, Esther, Nomsa, Bwalya, Chipo, Tamara,
    Memory, Lushomo, Wanjiru, Namukolo, Precious, Mapenzi, Rudo, Zodwa, Neema, Atieno, Chimwemwe, Nyambe, Luyando,
    Busisiwe, Makena, Taonga, Sibongile, Mwaka
  `),
  surnames: [
    ...listed(`
      Musonda, Banda, Phiri, Mwansa, Tembo, Zulu, Mulenga, Chanda, Daka, Sakala, Ngoma, Lungu, Mbewe, Moyo, Kaunda,
      Sikazwe, Hamoonga, Mweetwa, Nkandu, Ncube, Dlamini, Otieno, Mwangi, Mutasa, Kapembwa, Siame, Chirwa, Nyirenda,
      Kasonde, Njobvu, Simukonda, Mwamba
    `),
    ...combined(
      listed('Mu, Chi, Ka, Lu, Si, Na, Ha, Mwa, Nya, Kapa, Shi, Ma, Bu, Ndu, Mata, Kala'),
      listed(`
        lenga, samba, tonga, bwela, kwasa, londe, pasha, nyama, zimba, fumbe, ngala, ntanga, mbuzi, chelwa, wele,
        komba, shiwa, tati, banji, yoyo, limbwe, kando, songo, pemba, vundu
      `),
    ),
  ],
  joint: ' ',
  doubleSurnames: 0.01,
};
