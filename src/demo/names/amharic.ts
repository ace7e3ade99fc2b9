import { listed, type Culture } from './culture.js';

const MALE = listed(`
  አበበ, ተስፋዬ, ዳዊት, ከበደ, ሰለሞን, ዮሐንስ, ገብረ, ኃይሌ, መኮንን, አለማየሁ, ታደሰ, ብርሃኑ, ግርማ, ጌታቸው, ሙሉጌታ, እንዳለ, ዓለሙ, ፍቅሩ, በቀለ, ደረጀ, ወርቁ,
  ሚካኤል, ቴዎድሮስ, ሲሳይ, ናትናኤል, አስፋው, ኤርሚያስ, መለስ, ዘሪሁን, ካሳ, ይስሐቅ, ጸጋዬ
`);

/** Ethiopian names. */
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
