/** Languages of Whisper's models, by its codes and names; other recognizers use the same names or codes. */
const LANGUAGES = `en english,zh chinese,de german,es spanish,ru russian,ko korean,fr french,ja japanese,pt portuguese,
tr turkish,pl polish,ca catalan,nl dutch,ar arabic,sv swedish,it italian,id indonesian,hi hindi,fi finnish,
vi vietnamese,he hebrew,uk ukrainian,el greek,ms malay,cs czech,ro romanian,da danish,hu hungarian,ta tamil,
no norwegian,th thai,ur urdu,hr croatian,bg bulgarian,lt lithuanian,la latin,mi maori,ml malayalam,cy welsh,sk slovak,
te telugu,fa persian,lv latvian,bn bengali,sr serbian,az azerbaijani,sl slovenian,kn kannada,et estonian,mk macedonian,
br breton,eu basque,is icelandic,hy armenian,ne nepali,mn mongolian,bs bosnian,kk kazakh,sq albanian,sw swahili,
gl galician,mr marathi,pa punjabi,si sinhala,km khmer,sn shona,yo yoruba,so somali,af afrikaans,oc occitan,ka georgian,
be belarusian,tg tajik,sd sindhi,gu gujarati,am amharic,yi yiddish,lo lao,uz uzbek,fo faroese,ht haitian creole,
ps pashto,tk turkmen,nn nynorsk,mt maltese,sa sanskrit,lb luxembourgish,my myanmar,bo tibetan,tl tagalog,mg malagasy,
as assamese,tt tatar,haw hawaiian,ln lingala,ha hausa,ba bashkir,jw javanese,su sundanese,yue cantonese`
  .split(/,\s*/)
  .map((line) => ({ code: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) }));

const canonical = (code: string): string => Intl.getCanonicalLocales(code)[0] ?? code;
const CODE_OF_TAG = new Map([...LANGUAGES.map(({ code }) => [canonical(code), code] as const), ['nb', 'no'] as const]);
const CODE_OF_NAME = new Map(LANGUAGES.map(({ code, name }) => [name, code]));

/** The BCP 47 tag of a language as recognizers name it, such as `english` or `jw`; null for others. Pure. */
export function tagOfRecognized(language: string): string | null {
  const name = language.trim().toLowerCase();
  const code = CODE_OF_NAME.get(name) ?? name;
  return /^[a-z]{2,3}$/.test(code) && CODE_OF_TAG.has(canonical(code)) ? canonical(code) : null;
}

/** Whisper's code of a BCP 47 tag, whatever its script and region; null for languages it does not know. Pure. */
export function recognizerCode(tag: string): string | null {
  return CODE_OF_TAG.get(tag.split('-')[0] ?? tag) ?? null;
}
