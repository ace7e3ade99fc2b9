import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { isEmail, ValidateBy } from 'class-validator';
import { isVisible, isWellFormedText } from '../../kernel/domain/text.js';
import { isLongerThan, isObject, isTextWithin } from '../../kernel/input/checks.js';

/**
 * Frequent passwords of eight or more characters, in lower case, from published lists and this domain. The limits of
 * U-8 bound its gaps; `isCommonPassword` detects runs and repetitions.
 */
const LISTED = `
password passw0rd p@ssword p@ssw0rd pa$$word pa$$w0rd pa55word passwort password! password1 password1! password12
password123 password123! password1234 password2 password01 password11 password99 passw0rd1 p@ssw0rd1 p@ssw0rd123
p@$$w0rd pass1234 pass12345 passpass passwords passworded mypassword mypass123 thepassword newpassword yourpassword
letmein1 letmein! letmein123 letmeinnow welcome1 welcome! welcome12 welcome123 welcome2 welcome@1 welcome@123 welcome1!
iloveyou iloveyou1 iloveyou2 iloveyou! iloveyou123 iloveme1 iloveu12 loveyou1 lovelove lovely12 loveme12 loverboy
ilovegod iloveyou3 iloveyou12 iloveyou22 ilovemom ilovemymom mylove123 babygirl babygirl1 babyboy1 babyblue babyface
sunshine sunshine1 sunshine2 sunshine123 princess princess1 princess12 princess123 football football1 football12
football123 baseball baseball1 baseball12 basketball basketball1 softball softball1 volleyball swimming hockey12
superman superman1 superman123 batman12 batman123 spiderman spiderman1 starwars starwars1 pokemon1 pokemon123
pikachu1 naruto12 naruto123 dragon12 dragon123 dragonball dragonballz monkey12 monkey123 michael1 michael123 jennifer
jennifer1 jessica1 jessica123 michelle michelle1 ashley12 ashley123 danielle danielle1 samantha samantha1 alexander
alexander1 alexandra victoria victoria1 jonathan jordan23 jordan123 charlie1 charlie123 benjamin benjamin1 nicholas
nicholas1 anthony1 joshua12 matthew1 andrew12 william1 daniel12 daniel123 thomas12 robert12 christopher christian
christian1 stephanie brittany elizabeth elizabeth1 veronica patricia patricia1 margaret catherine katherine isabella
gabriela gabriel1 fernando fernando1 francisco alejandro alejandra sebastian santiago valentina roberto1 ricardo1
mustang1 corvette mercedes porsche1 ferrari1 chevrolet chevelle yamaha12 harley12 harleydavidson motorola samsung1
samsung123 nokia123 blackberry internet internet1 computer computer1 computer123 whatever whatever1 trustno1 trustno1!
shadow12 shadow123 master12 master123 killer12 killer123 hunter12 hunter123 ranger12 tigger12 tigger123 soccer12
soccer123 summer12 summer123 winter12 winter123 spring12 autumn12 january1 february september september1 october1
november november1 december december1 midnight midnight1 freedom1 forever1 forever21 forever2 friends1 friendship
hello123 hello1234 hello12345 hellohello hellokitty hellokitty1 hallo123 bonjour1 salasana bienvenue motdepasse
motdepasse1 contrasena contraseña contraseña1 senha123 senha1234 mudar123 parola12 haslo123 heslo123 kennwort
passwort1 passwort123 schatz123 lol12345 lollipop lollipop1 chocolate chocolate1 cupcake1 butterfly butterfly1
strawberry blueberry pineapple pumpkin1 peanut12 cookie12 cookie123 cheese12 banana12 banana123 orange12 orange123
purple12 purple123 rainbow1 rainbow123 unicorn1 unicorn123 snowball snowflake diamond1 crystal1 sapphire silver12
secret12 secret123 secret1234 topsecret mysecret default1 default123 changeme changeme1 changeme! changeme12
changeme123 changeit temp1234 temp12345 temppass temporary test1234 test12345 testtest testing1 testing123 test123456
tester12 testpass guest123 guest1234 user1234 user12345 username username1 usuario1 login123 login1234 logmein1
admin123 admin1234 admin12345 admin123456 admin@123 admin@1234 admin!23 adminadmin administrator administrator1
root1234 rootroot toor1234 system12 system123 manager1 manager123 oracle12 server12 master1234 support1 support123
service1 company1 company123 office12 office123 registrar registrar1 registrar123 registration opencrvs opencrvs1
opencrvs123 matricula matricula1 matricula123 birthday birthday1 birthday1! certificate government ministry
abcd1234 abcd12345 abcdefg1 abcdef12 abcdef123 abc12345 abc123456 abc123abc abcabc123 abcabcabc a1b2c3d4 a1b2c3d4e5
a123456789 a12345678 a1234567 aa123456 aa12345678 aaa12345 abcde12345 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx
1qaz2wsx3edc 1qaz@wsx 1qazxsw2 !qaz2wsx qazwsxedc qazwsx12 qazwsx123 qaz123wsx q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6
zaq12wsx zaq1zaq1 zaq1xsw2 zxcvbnm1 zxcvbnm123 zxcv1234 asdf1234 asdf12345 asdfasdf asdfghjkl1 asdasd123 asd12345
asdqwe123 qweasd12 qweasdzxc qweasd123 qwe12345 qwe123456 qweqwe123 qweqweqwe qwer1234 qwer12345 qwerty12 qwerty123
qwerty1234 qwerty12345 qwerty123456 qwerty1! qwerty11 qwerty99 qwertyui1 qwertyuiop1 qwerty!@# 123qweasd 123qweasdzxc
123qwe123 123qwe456 123abc123 123456abc 123456qwe 1234qwer 12345qwert 123456qwerty 1234abcd 12345abc 123456aa 12345678a
123456789a 1234567890a 123456789q 12341234 12344321 123123123 123123123a 123321123 123454321 12121212 11223344
1122334455 112233445566 11112222 111222333 11221122 10203040 102030405060 13131313 147258369 147852369 159357159
159753159 159357456 741852963 789456123 789456123a 987654321a 963852741 123698745 321321321 456456456 123654789
1password 1passw0rd 12password pass@123 pass@1234 pass@word1 pass!234 india123 india@123 pakistan pakistan1 pakistan123
nigeria1 nigeria123 zambia123 zambia12 kenya123 uganda12 tanzania malawi12 malawi123 bangladesh bangladesh1 indonesia
barcelona barcelona1 realmadrid liverpool liverpool1 liverpool123 manchester manchester1 chelsea1 chelsea123 arsenal1
arsenal123 juventus juventus1 ronaldo7 ronaldo1 cristiano messi123 metallica metallica1 nirvana1 slipknot slipknot1
eminem12 linkinpark linkinpark1 greenday blink182 jesus123 jesuschrist jesusislord godisgood godisgreat praisegod
blessed1 blessing blessing1 blessed123 hallelujah heavenly angel123 angel1234 angels12 myangel1 scorpion scorpio1
aquarius capricorn sagittarius gemini12 playboy1 lifehack number1! gangster gangster1 hardcore fuckyou1 fuckyou2
fuckyou! fuckyou123 fuckoff1 asshole1 bullshit bullshit1 sexy1234 poohbear snoopy12 scooby12 garfield simpsons
minecraft minecraft1 roblox123 fortnite counterstrike warcraft warcraft1 starcraft playstation playstation2 xbox360x
nintendo nintendo1 google123 google12 facebook facebook1 linkedin instagram youtube1 windows1 windows10 microsoft
apple123 android1 iphone12 matrix12 thx11380 rush2112 ncc1701d ncc1701e trinity1 zeppelin ledzeppelin maverick
mountain elephant dolphin1 dolphins dolphins1 steelers steelers1 cowboys1 eagles12 packers1 patriots yankees1 redsox12
lakers24 raiders1 gateway1 phoenix1 marathon champion champion1 challenge explorer discovery adventure beautiful
beautiful1 gorgeous handsome happy123 happiness happyday smile123 sweetheart sweetheart1 sweetie1 cutiepie honeybee
darling1 justin12 justinbieber onedirection jonasbrothers hannahmontana twilight twilight1 harrypotter gandalf1
legolas1 hogwarts gryffindor lordoftherings startrek startrek1 godfather terminator transformers
`;

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(LISTED.split(/\s+/).filter((word) => word !== ''));

/** Facts about a user that attackers try first. */
export interface KnownOf {
  readonly username?: string | undefined;
  readonly firstname?: string | undefined;
  readonly surname?: string | undefined;
  readonly email?: string | null | undefined;
  readonly mobile?: string | null | undefined;
}

/** A password may be a run of these, in either direction and repeated. */
const RUNS = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];

/** Frequent, a keyboard run, or one repeated piece (NIST SP 800-63B). */
function isCommonPassword(password: string): boolean {
  const plain = folded(password);
  return COMMON_PASSWORDS.has(plain) || isRun(plain) || /^(.{1,4}?)\1+$/su.test(plain);
}

/**
 * Whether it consists of the owner's names, user name, address or number, with surrounding digits and signs. Words of
 * up to two letters are ignored.
 */
function isOwnWord(password: string, { username, firstname, surname, email, mobile }: KnownOf): boolean {
  const plain = folded(password);
  const whole = [username, email, mobile].flatMap((text) => (text ? [folded(text)] : []));
  if (whole.includes(plain) || (mobile && digitsOf(plain) === digitsOf(mobile) && lettersOf(plain) === '')) return true;
  const words = [username, firstname, surname, email?.split('@', 1)[0]]
    .flatMap((text) => (text ? [lettersOf(folded(text)), ...folded(text).split(/\P{L}+/u)] : []))
    .filter((word) => word.length > 2);
  return isMadeOf(lettersOf(plain), words);
}

/** Stepwise, to keep it linear. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const ends = new Set([0]);
  for (let at = 0; at < text.length; at += 1) {
    if (!ends.has(at)) continue;
    for (const word of words) if (text.startsWith(word, at)) ends.add(at + word.length);
  }
  return text !== '' && ends.has(text.length);
}

const isRun = (plain: string): boolean =>
  RUNS.some((run) => {
    const twice = run + run;
    return twice.includes(plain) || twice.split('').reverse().join('').includes(plain);
  });

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
const lettersOf = (text: string): string => text.replace(/\P{L}+/gu, '');
const digitsOf = (text: string): string => text.replace(/\D+/g, '');

/** In characters (NIST SP 800-63B 3.1.1.2, with a second factor). */
export const PASSWORD_LENGTH = { least: 8, most: 256 } as const;

/** The error does not repeat the password. */
export const IsPassword = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPassword',
    validator: {
      validate: (value, given) => faultOfPassword(value, given && knownOf(given.object)) === undefined,
      defaultMessage: (given) => faultOfPassword(given?.value, given && knownOf(given.object)) ?? '',
    },
  });

export function faultOfPassword(value: unknown, owner: KnownOf = {}): string | undefined {
  if (!hasLength(value)) return `must be text of ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters`;
  if (isCommonPassword(value)) return 'is one of the passwords that are tried first';
  return isOwnWord(value, owner) ? 'is made of the names of its owner, which are tried first' : undefined;
}

const hasLength = (value: unknown): value is string =>
  isTextWithin(value, PASSWORD_LENGTH.most) && isLongerThan(value, PASSWORD_LENGTH.least - 1);

function knownOf(body: object): KnownOf {
  const { username, name, email, mobile } = body as Readonly<Record<string, unknown>>;
  const { firstname, surname } = isObject(name) ? name : {};
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    username: text(username),
    firstname: text(firstname),
    surname: text(surname),
    email: text(email),
    mobile: text(mobile),
  };
}

/** Longer text is not examined. */
const LONGEST = 512;

interface Options {
  readonly orNull?: boolean;
}

/** Validates the text in NFC; `orNull` permits null. */
const isTextThat =
  (name: string, isSound: (value: string) => boolean, expected: string) =>
  ({ orNull = false }: Options = {}): PropertyDecorator =>
    applyDecorators(
      Transform(({ value }: { value: unknown }) =>
        typeof value === 'string' && value.length <= LONGEST ? value.normalize('NFC') : value,
      ),
      ValidateBy({
        name,
        validator: {
          validate: (value: unknown) =>
            (orNull && value === null) ||
            (typeof value === 'string' && value.length <= LONGEST && isWellFormedText(value) && isSound(value)),
          defaultMessage: () => `${expected}${orNull ? ', or null' : ''}`,
        },
      }),
    );

export const USERNAME = {
  minLength: 1,
  maxLength: 64,
  description:
    'Letters, digits, `.`, `_`, `@`, `+`, apostrophe and `-`; unique regardless of letter case, and unlike any other to the eye',
} as const;
export const EMAIL = {
  minLength: 3,
  maxLength: 254,
  description: 'An e-mail address, international ones too; unique regardless of letter case',
} as const;
export const MOBILE = { pattern: '^\\+?[0-9]{4,20}$', description: 'Unique' } as const;

/** A user name (U-6), normalized to NFC. */
export const IsUsername = isTextThat(
  'isUsername',
  (value) => /^[\p{L}\p{M}\p{N}._@+'-]{1,64}$/u.test(value) && isVisible(value),
  "must be 1 to 64 letters, digits, `.`, `_`, `@`, `+`, `'` and `-`, one of them visible",
);

export const IsEmailAddress = isTextThat('isEmailAddress', (value) => isEmail(value), 'must be an e-mail address');

export const IsMobile = isTextThat(
  'isMobile',
  (value) => new RegExp(MOBILE.pattern).test(value),
  'must be 4 to 20 digits, which a `+` may precede',
);
