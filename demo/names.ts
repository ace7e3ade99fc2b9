/** The names of one people, the most frequent first. */
export interface Culture {
  readonly male: readonly string[];
  readonly female: readonly string[];
  readonly surnames: readonly string[];
  /** Joins double given names or surnames. */
  readonly joint: string;
  /** The share of people with two surnames. */
  readonly doubleSurnames: number;
  /** A woman's form of the surname. */
  readonly feminine?: (surname: string) => string;
  /** Whether the father's given name replaces the surname. */
  readonly patronymic?: boolean;
}

export const listed = (text: string): string[] => text.split(',').map((name) => name.trim());

export function combined(stems: readonly string[], endings: readonly string[], joint = ''): string[] {
  const names: string[] = [];
  for (let distance = 0; distance < stems.length + endings.length; distance++) {
    for (const [at, ending] of endings.entries()) {
      const stem = stems[distance - at];
      if (stem !== undefined) names.push(stem + joint + ending);
    }
  }
  return names;
}

const MALE = listed(`
  አበበ, ተስፋዬ, ዳዊት, ከበደ, ሰለሞን, ዮሐንስ, ገብረ, ኃይሌ, መኮንን, አለማየሁ, ታደሰ, ብርሃኑ, ግርማ, ጌታቸው, ሙሉጌታ, እንዳለ, ዓለሙ, ፍቅሩ, በቀለ, ደረጀ, ወርቁ,
  ሚካኤል, ቴዎድሮስ, ሲሳይ, ናትናኤል, አስፋው, ኤርሚያስ, መለስ, ዘሪሁን, ካሳ, ይስሐቅ, ጸጋዬ
`);

export const AMHARIC: Culture = {
  male: MALE,
  female: listed(`
    አልማዝ, ብርቱካን, ሄለን, ፀሐይ, ማርታ, ሰናይት, ትዕግሥት, አስቴር, ገነት, መሠረት, ሕይወት, ዘነበች, ሳራ, እመቤት, ወይንሸት, ሙሉ, ቤተልሔም, ሐና, ኤልሳቤጥ,
    ፍሬሕይወት, ራሔል, አበባ, ጽጌ, ሰብለ
  `),
  surnames: MALE,
  joint: ' ',
  doubleSurnames: 0,
  patronymic: true,
};

export const ARABIC: Culture = {
  male: listed(`
    محمد, أحمد, علي, حسن, عبد الله, يوسف, إبراهيم, خالد, عمر, مصطفى, طارق, سليمان, كريم, حمزة, بلال, زياد, عبد الرحمن,
    ياسين, إسماعيل, نور الدين, فيصل, رضا, آدم, مؤمن
  `),
  female: listed(`
    فاطمة, عائشة, مريم, زينب, خديجة, ليلى, سارة, هدى, أمينة, سلمى, نادية, رقية, ياسمين, حنان, آمنة, إيمان, سعاد, هاجر,
    نورة, مها, لؤلؤة, رجاء, صفية, هناء
  `),
  surnames: [
    ...listed(`
      الحسن, المصري, حداد, خوري, العلي, الخطيب, نجار, الأحمد, بن سالم, الصباغ, القاضي, منصور, الشامي, بن يوسف, الطويل,
      عثمان, الزهراني, البغدادي, إدريس, أبو زيد, الهاشمي, درويش
    `),
    ...combined(
      ['ال', 'بن ', 'أبو ', 'آل '],
      listed(`
        سعيد, راشد, نصر, حمد, فارس, جابر, مبارك, هلال, عمران, داود, رمضان, شريف, غانم, صالح, عمري, تميمي, قرشي, مهدي,
        بدر, كامل, عيسى, ناصر, حربي, عنزي, سباعي, جمال, لطفي, يعقوب
      `),
    ),
  ],
  joint: ' ',
  doubleSurnames: 0.02,
};

/** Eastern and southern African. */
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

const FIRST = listed('小, 建, 志, 文, 晓, 国, 永, 家, 雨, 春, 德, 思, 俊, 海, 天, 美, 玉, 子, 明, 云');
const MALE_LAST = listed('明, 华, 强, 军, 伟, 平, 峰, 杰, 龙, 东, 林, 辉, 鹏, 宇, 山, 涛, 斌, 波');
const FEMALE_LAST = listed('芳, 丽, 红, 英, 兰, 娟, 燕, 梅, 霞, 婷, 雪, 琳, 洁, 凤, 月, 花, 慧, 萍');

export const CHINESE: Culture = {
  male: ['伟', '小明', '强', '磊', '军', '洋', '勇', ...combined(FIRST, MALE_LAST)],
  female: ['芳', '秀英', '娜', '敏', '静', '丽', '艳', ...combined(FIRST, FEMALE_LAST)],
  surnames: listed(`
    王, 李, 张, 刘, 陈, 杨, 黄, 赵, 吴, 周, 徐, 孙, 马, 朱, 胡, 郭, 何, 林, 高, 罗, 郑, 梁, 谢, 宋, 唐, 许, 邓, 冯, 韩, 曹, 欧阳, 司马, 诸葛, 上官
  `),
  joint: '',
  doubleSurnames: 0.01,
};

export const CYRILLIC: Culture = {
  male: listed(`
    Иван, Александр, Сергей, Дмитрий, Андрей, Алексей, Олексій, Николай, Фёдор, Юрий, Богдан, Ђорђе, Артём, Тарас,
    Нұрлан, Георгий, Љубомир, Семён, Ярослав, Бат-Эрдэнэ, Өмүрбек, Ігор, Пётр, Захар
  `),
  female: listed(`
    Мария, Елена, Оксана, Наталья, Ольга, Анна, Татьяна, Светлана, Соломія, Алёна, Ксения, Љиљана, Надежда, Їванка,
    Олеся, Гүлнар, Дарья, Өзгөрүш, Вера, Юлия, Цэцэг, Людмила, Зинаида, Марфа
  `),
  surnames: [
    ...listed(`
      Иванов, Шевченко, Петров, Кузнецов, Бондаренко, Попов, Ковальчук, Соловьёв, Мельник, Королёв, Гоголь, Ђурић,
      Жуков, Кравец, Њежић, Зуев, Щербак, Юшкевич, Ющенко, Назарбаев, Горбачёв, Чайка
    `),
    ...combined(
      listed('Мороз, Степан, Горб, Лебед, Волк, Сокол, Орл, Зайц, Тимош, Ворон, Гаврил, Климент, Данил, Яким'),
      listed('ов, енко, ин, ский, чук, ев, ец, иков, юк, овский, аев, ько'),
    ),
  ],
  joint: '-',
  doubleSurnames: 0.02,
  feminine: (surname) => surname.replace(/(?<=[оеё]в|ин)$/u, 'а').replace(/ский$/u, 'ская'),
};

export const DEVANAGARI: Culture = {
  male: listed(`
    राम, अर्जुन, विजय, संजय, कृष्ण, राहुल, अमित, हरि, गणेश, मोहन, सुरेश, प्रकाश, देव, नरेन्द्र, आदित्य, शिव, बिष्णु,
    लक्ष्मण, रवि, चन्द्र, पूर्ण, ज्ञानेन्द्र, ओम, भीम
  `),
  female: listed(`
    सीता, अनीता, लक्ष्मी, सुनीता, गीता, प्रिया, राधा, कमला, मीना, पूजा, सरस्वती, दुर्गा, ज्योति, आशा, माया, शान्ति,
    रेखा, उषा, इन्दिरा, श्रुति, नेहा, कविता, पार्वती, दीपा
  `),
  surnames: [
    ...listed(`
      शर्मा, सिंह, थापा, गुप्ता, कुमार, यादव, गुरुङ, तामाङ, पटेल, वर्मा, श्रेष्ठ, अधिकारी, कार्की, जोशी, मिश्र,
      पाण्डेय, भट्ट, राई, खड्का, त्रिपाठी, देशपाण्डे, कुलकर्णी
    `),
    ...combined(
      listed('धन, राज, सूर्य, नर, गङ्गा, देव, रत्न, श्री, मान, जय, वीर, बल'),
      listed('पाल, कर, नाथ, वाल, वंशी, पुरी, दास, राव, प्रसाद, धर, लाल, मल्ल, गिरि'),
    ),
  ],
  joint: ' ',
  doubleSurnames: 0.01,
};

export const ENGLISH: Culture = {
  male: listed(`
    John, James, Daniel, Michael, Samuel, Peter, David, George, Thomas, Brian, Patrick, Henry, Seán, Kevin, Matthew,
    Oliver, Dylan, Rhys, Stephen, Steven, Jonathan, Callum, Eoin, Alistair
  `),
  female: listed(`
    Elizabeth, Sarah, Rebecca, Alice, Charlotte, Hannah, Zoë, Chloë, Emily, Catherine, Katherine, Margaret, Siân,
    Joan, Deborah, Phoebe, Niamh, Róisín, Victoria, Eleanor, Martha, Lydia, Ann
  `),
  surnames: [
    ...listed(`
      Johnson, Smith, Williams, Brown, Jones, Taylor, Davies, Evans, Clark, Clarke, O’Brien, Roberts, Walker, Wright,
      Reid, Reed, Thompson, Thomson, MacDonald, McDonald, O’Connor, Hughes, Brontë, Ní Dhomhnaill, Campbell, Stewart,
      Stuart, Bailey, Baillie, Whyte
    `),
    ...combined(
      listed('Ash, Brad, Hart, Thorn, West, Lang, Hol, Whit, Stan, Mar, Wood, Clay, Elder, Fair, Hay'),
      listed('ley, ford, ton, well, wood, field, by, worth, man, ham, combe, burn, bridge, stone'),
    ),
  ],
  joint: '-',
  doubleSurnames: 0.03,
};

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

const GIVEN = listed('Sigurð, Søren, Lars, Þór, Björn, Jón, Håkan, Øyvind, Åge, Guðmund, Leif, Erik, Anders');

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

/** Western and southern Slavic, in Latin letters. */
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

const SYLLABLES = listed('Anh, Đức, Quốc, Thanh, Ngọc, Bảo, Minh, Gia, Hữu, Xuân, Phương, Tường, Khánh, Mỹ');
const LAST = listed('Dũng, Hải, Tuấn, Việt, Hằng, Thảo, Trâm, Lộc, Phúc, Vân, Yến, Đạt, Hiếu');

export const VIETNAMESE: Culture = {
  male: [
    ...listed(`
      Văn Hùng, Minh, Đức, Văn Dũng, Quang, Tuấn, Hữu Phước, Văn Thắng, Khôi, Việt, Trọng Nghĩa, Bình, Tiến, Đăng,
      Phú, Sỹ, Thịnh, Lợi, Quý, Trường
    `),
    ...combined(SYLLABLES, LAST, ' '),
  ],
  female: [
    ...listed(`
      Thị Hương, Lan, Thị Hồng, Ngọc, Thị Thủy, Hằng, Mỹ Linh, Thị Nguyệt, Trang, Hạnh, Yến, Thảo, Thị Đào, Ánh,
      Tuyết, Nhung, Phượng, Diễm, Thị Bưởi, Quyên
    `),
    ...combined(SYLLABLES, LAST, ' '),
  ],
  surnames: listed(`
    Nguyễn, Trần, Lê, Phạm, Hoàng, Huỳnh, Phan, Vũ, Võ, Đặng, Bùi, Đỗ, Hồ, Ngô, Dương, Lý, Đinh, Trương, Lưu, Tạ,
    Đoàn, Mạc, Quách, Lữ, Tống, Phùng, Diệp, Vương, Kiều, Thái
  `),
  joint: ' ',
  doubleSurnames: 0.03,
};

export type Population = readonly (readonly [share: number, culture: Culture])[];

/** Shares in the whole country. */
export const CULTURES: Population = [
  [30, BANTU],
  [12, ENGLISH],
  [12, IBERIAN],
  [8, ARABIC],
  [7, FRENCH],
  [5, SLAVIC],
  [5, CYRILLIC],
  [4, VIETNAMESE],
  [4, DEVANAGARI],
  [4, AMHARIC],
  [3, CHINESE],
  [2, NORDIC],
  [2, GERMANIC],
  [2, TURKISH],
];
