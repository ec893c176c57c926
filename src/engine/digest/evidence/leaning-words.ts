import { isEnglishFragment } from "./english-fragments.ts";

// Which sentences lean on the one before: they begin with a pronoun or a connective, so alone they do not say of
// what they speak. Lists of words decide, in Latin (English, German, French, Spanish, Italian, Portuguese,
// Vietnamese), Cyrillic (Russian, Ukrainian), Arabic, Devanagari (Hindi), and East Asian (Chinese, Japanese, Korean).
// A word that is also an article or a name stands here only with what makes it a pronoun.

/** The longest beginning that is looked at. */
const LOOKED_AT = 160;
/** What may stand before the first word. */
const OPENING = /^[^\p{L}\p{N}]+/u;
/** A remark in brackets belongs to the sentence before it, and a mark such as `[!NOTE]` is no part of a sentence. */
const IN_BRACKETS = /^[([]/u;
const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’.-][\p{L}\p{M}\p{N}]+)*/gu;
/** Vowel points and the tatweel, which Arabic can leave out, and the hamza of an alef. */
const ARABIC_POINTS = /\u0640|[\u064b-\u065f]|\u0670/gu;
const HAMZA_ALEF = /[أإآ]/gu;

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s*[,\n]\s*/).filter((words) => words !== ""));
}

/** One to three words, in lower case, by which a sentence leans. */
const LEANING = wordsOf(`
it, its, he, him, his, she, her, hers, they, them, their, theirs, this, these, those, itself, themselves
both, neither, another, others, such, same, the same, the former, the latter, the other, the others, the first one
that, that's, it's, he's, she's, they're, they've, they'll, it'll, of these, of those, of them
which, whose, see, see also, the first, the second, the third, the fourth, the next, the previous, the alternative, the prior, for more information, for more details, for details, for more, for a full, refer to
and, but, or, nor, so, yet, however, therefore, thus, hence, moreover, furthermore, also, additionally, besides
otherwise, instead, nevertheless, nonetheless, meanwhile, consequently, accordingly, similarly, likewise, then
finally, lastly, secondly, thirdly, next, afterwards, afterward, subsequently, alternatively, conversely
specifically, namely, indeed, again, rather, still, though, too, plus, e.g, eg, i.e, here, therein, hereby, thereby
for example, for instance, in addition, in contrast, by contrast, in particular, in other words, in turn, in fact
as a result, as such, as well, as above, as before, as shown, as mentioned, as noted, as described, as you can see
on the other, on the contrary, even so, even then, if so, if not, after that, before that, apart from that
because of that, of course, to that end, at the same, more precisely, now, later, yes
er, es, ihr, ihre, ihrer, ihm, ihn, ihnen, sie, dies, diese, dieser, dieses, diesem, diesen, jene, jener, jenes
das ist, das sind, das war, das waren, das kann, das wird, das hat, das heißt, das bedeutet, das gilt, das macht
die ist, der ist, beide, solche, solcher, solches, dazu, dabei, damit, dadurch, daher, darum, deshalb, deswegen
davon, danach, daraufhin, darauf, darin, dafür, dagegen, daneben, dort, hier, hierbei, hierfür, hierzu, so, somit
aber, und, oder, denn, doch, jedoch, sondern, auch, außerdem, siehe, zudem, ferner, weiterhin, trotzdem, dennoch
allerdings, folglich, also, anschließend, dann, schließlich, zuletzt, zum beispiel, beispielsweise, stattdessen
ebenso, ebenfalls, gleichzeitig, nun, hingegen, andererseits, im gegensatz dazu, aus diesem grund, in diesem fall
elle, elles, ils, ce, cet, cette, ces, cela, ceci, ça, c'est, celui, celle, ceux, celles, celui-ci, celle-ci
y, et, mais, ou, donc, ainsi, cependant, toutefois, néanmoins, pourtant, alors, puis, ensuite, enfin
aussi, également, de plus, en outre, par exemple, par conséquent, en effet, d'abord, de même, en revanche
par ailleurs, au contraire, en fait, d'autre part, son, sa, ses, leur, leurs, il y a, il est, il a
il était, il peut, il faut, il permet, il doit, il sera, il ne, il s'agit, il avait, il fut
él, ella, ellos, ellas, ello, esto, esta, este, estos, estas, eso, esa, ese, esos, esas, aquel, aquella, su, sus
pero, además, también, sin embargo, por lo tanto, por tanto, por eso, por ello, entonces, así, luego, después
finalmente, por ejemplo, es decir, en cambio, no obstante, aunque, asimismo, u, e, es, fue
esso, essa, essi, esse, egli, lui, lei, loro, questo, questa, questi, queste, quello, quella, quelli, quelle, ciò
però, tuttavia, quindi, inoltre, anche, ma, poi, infine, dunque, invece, ad esempio, per esempio, così, pertanto
ele, ela, eles, elas, isto, isso, aquilo, aquele, aquela, estes, essas, esses, mas, porém, contudo, todavia
entretanto, portanto, além disso, também, assim, depois, por exemplo, ou seja, no entanto, por isso, seu, sua
nó, họ, chúng, điều này, điều đó, việc này, việc đó, những điều này, đây, đó, ông ấy, bà ấy, anh ấy, cô ấy
hắn, ông đã, bà đã, ông là, bà là, ông cũng, bà cũng, ông được, bà được, và, nhưng, hoặc, tuy nhiên
tuy vậy, do đó, do vậy, vì vậy, vì thế, bởi vậy, ngoài ra, hơn nữa, bên cạnh đó, sau đó, trước đó, khi đó, từ đó
trong đó, theo đó, đồng thời, cũng, thế nhưng, ngược lại, mặt khác, ví dụ, chẳng hạn, cuối cùng, tiếp theo, rồi
он, она, оно, они, его, её, ее, их, ему, ей, им, этот, эта, это, эти, этого, этой, этому, этим, тот, та, то, те
такой, такая, такое, такие, таким, и, а, но, или, однако, также, тоже, поэтому, потому, затем, потом, тогда
кроме того, кроме этого, помимо этого, например, впрочем, следовательно, итак, значит, зато, причём, причем
наконец, тем не менее, в результате, при этом, после этого, для этого, из-за этого, в этом, в этой, на этом
здесь, там, так, далее, вместе с тем, с другой стороны, напротив, кстати, оба, обе
він, вона, воно, вони, його, її, їх, цей, ця, це, ці, той, але, проте, також, тому, крім того, наприклад, потім
й, отже, тоді, після цього, при цьому, однак, тут
هو, هي, هم, هن, هما, هذا, هذه, هذان, هاتان, هؤلاء, ذلك, تلك, اولئك, هنا, هناك, لكن, لكنه, لكنها, لذلك, لذا, ثم
كما, ايضا, كذلك, بالتالي, علاوة, حيث, اذ, او, بل, بالاضافة الى ذلك, مع ذلك, مع هذا, بعد ذلك, قبل ذلك, في ذلك
على سبيل المثال, فضلا عن ذلك, لهذا, بهذا, بذلك, وقد, وكان, وكانت, وكانوا, وقال, وقالت, وهو, وهي, وهم, وهذا, وهذه
وذلك, وتلك, ولكن, ولم, ولا, ولن, ومن, وفي, وعلى, ومع, واذا, وان, وايضا, وبعد, وقبل, وعند, وكذلك, ولذلك, وبالتالي
وهكذا, وكما, ولقد, ويمكن, وتم, وعندما, وبذلك, ولهذا, وله, ولها, وبه, وبها, فقد, فان, فهو, فهي, فكان, فكانت, فاذا, فلم
वह, वे, यह, ये, इस, इसके, इसकी, इसका, इसको, इसे, इसमें, इससे, इन, इनके, इनकी, इनका, इन्हें, इन्होंने, इसने, उस, उसके
उसकी, उसका, उसे, उसने, उसमें, उन, उनके, उनकी, उनका, उन्हें, उन्होंने, लेकिन, किन्तु, किंतु, परन्तु, परंतु, पर, और, एवं, तथा, या
फिर, तब, इसलिए, इसलिये, अतः, हालाँकि, हालांकि, जबकि, बल्कि, साथ ही, इसी, उसी, यही, वही, उदाहरण के लिए, ऐसे, ऐसा, ऐसी, वहाँ, यहाँ
그는, 그녀는, 그들은, 그것은, 이것은, 이는, 이, 그, 이러한, 그런, 이런, 그러나, 하지만, 그리고, 또한, 따라서, 그래서, 그러므로
그런데, 그래도, 또, 즉, 예를 들어, 이에, 이로, 여기서, 반면, 그의, 그녀의, 이후, 그러면
`);

/** In front of a pronoun: "When it …", "In this case, …", "To do so, …". */
const BEFORE_PRONOUN = wordsOf(`
if, when, while, since, because, as, after, before, unless, until, although, though, once, where, whenever
in, at, for, with, by, on, from, to, of, under, through, via, without, unlike, like, despite, besides, within, into
whether, all, any, each, either, some, many, most, none, one, two, half, neither, not, only, even, just, do, does, doing, to do
wenn, weil, da, als, nachdem, bevor, falls, obwohl, während, sobald, bei, mit, in, an, auf, von, zu, nach, für, durch
unter, ohne, wegen, trotz, aus, si, quand, lorsque, comme, dans, avec, pour, par, sur, après, avant, en, con, para, por
de, cuando, como, desde, tras, según, se, quando, per, di, da, su, dopo, prima, em, com
если, когда, хотя, пока, в, на, с, со, из, к, по, для, при, после, до, об, о, за, под, над, среди, между
`);

const PRONOUNS = wordsOf(`
it, its, he, him, his, she, her, they, them, their, this, these, that, those, such, so, both, of these, of those, of them
of which, of this, it's, they're, that's, these are, the following, the above, the same
er, es, sie, ihn, ihm, ihr, ihnen, ihre, dies, diese, dieser, dieses, diesem, diesen, jenem, jener
cela, ceci, cette, cet, ces, celui, celle, elle, elles, ils, lui, leur, esto, eso, este, esta, estos, estas, ese, esa
ello, él, ella, ellos, questo, questa, questi, queste, ciò, isso, isto
он, она, оно, они, него, нее, неё, них, этот, эта, это, эти, этого, этой, этих, этому, этим, этом, тот, том, того, той
`);

/** East Asian beginnings; what follows in `(?!…)` makes it a name or another word. */
const UNSPACED_LEANING = new RegExp(
  "^(?:" +
    "他(?!国|國|乡|鄉)|她|它|这|這|那(?:些|个|個|么|麼|时|時|里|裡|种|種|是|样|樣)|此(?!地无银)|该|該|其|" +
    "但(?!丁)|然而|因此|因而|所以|于是|於是|而(?!立)|并(?!购|发|行|列|联)|並|另外|另一方面|同时|同時|随后|隨後|" +
    "之后|之後|不过|不過|可是|例如|比如|譬如|也(?!门|許|许)|从而|從而|如此|总之|總之|接着|接著|最后|最後|尽管如此|" +
    "儘管如此|相反|换句话说|換句話說|还(?!原)|還(?!原)|则|則|后来|後來|以上|以下|上述|二者|两者|兩者|" +
    "これ|それ|あれ|この|その|あの|ここ|そこ|彼(?!岸)|しかし|だが|また|そして|そこで|したがって|従って|そのため|" +
    "それで|さらに|更に|ただし|一方|例えば|たとえば|なお|つまり|ところが|すると|でも|だから|よって|および|及び|次に|" +
    "その後|同様に|加えて|ちなみに|このよう|そうした|こうした|いずれも|どちらも)",
  "u",
);

/** What a document calls itself: "This package" needs no sentence before it. */
const OWN_NAME = new RegExp(
  "^(?:this (?:small |simple |tiny )?(?:package|library|module|project|repo|repository|document|documentation|guide|" +
    "manual|book|article|paper|report|page|tutorial|readme|plugin|tool|program|software|framework|crate|app|" +
    "application|extension|specification|standard|license|agreement|policy)|" +
    "dies(?:es|e|er) (?:paket|bibliothek|dokument|handbuch|buch|anleitung|artikel|bericht|projekt|programm|seite)|" +
    "c(?:e|ette|et) (?:paquet|bibliothèque|document|manuel|livre|guide|article|rapport|projet|page|outil)|" +
    "est[ea] (?:paquete|biblioteca|documento|manual|libro|guía|artículo|informe|proyecto|página|herramienta)|" +
    "эт(?:от|а|о|и) (?:пакет|библиотека|документ|руководство|книга|статья|отчёт|отчет|проект|страница))" +
    "(?![\\p{L}\\p{N}])",
  "u",
);

/** Words that point at a place of the page that a sentence alone does not show. */
const POINTS_ELSEWHERE =
  /(?<![\p{L}\p{N}])(?:(?:see|shown|listed|described|mentioned|defined|discussed|outlined|explained|given|seen|noted|from|as|the|example|examples|table|code|snippet|section|command|steps|list) (?:above|below)|(?:above|below|following) (?:example|examples|code|snippet|table|section|command|steps|list|figure)|as follows|the following|like so|like this|here|click|read more|learn more|see (?:the )?(?:licen[cs]e|examples?)|(?:more|further) (?:information|info|details)|can be found (?:in|at|on|under)|the (?:first|second|third|last) (?:argument|parameter|option|line|column|step|item)|(?:can|could|should|will|would|may|must|you|we) then|in (?:the|a|this) blog post|do (?:that|so|it|this)|ones|one that|prior|previous|previously|aforementioned|the latter|the former|such (?!as )\p{L}+|above[.,;)]|the (?:methods?|functions?|options?|property|parameter|argument|command|class|hook|callback|functionality|features?|behaviou?r|extension)(?=[.,;])|on the other hand|then(?=[,.])|too(?=[.!]?$)|that (?:setting|option|value|case|function|method|file|way|event|behaviou?r|feature|version|type)(?! (?:is|are|was|that|you|we|has|have) )|the same \p{L}+(?=[.!]?$)|alternative(?=[.!]?$)|(?<=\p{L} )(?:above|below)(?! (?:the|an?|all|zero|average|sea|ground|water|it|\d)))(?![\p{L}\p{N}])/u;
/** "Note that it …" is judged by what follows. */
const REMARK =
  /^(?:(?:please )?(?:note|notice|remember)(?: that|:)|note|tip|warning|caution|important|hint)(?:[:,\s]+)(?:also )?/u;
/** A demonstrative anywhere leads back, unless it names the document itself. */
const DEMONSTRATIVE = /(?<![\p{L}\p{N}])(?:this|these|those)(?= [\p{L}\p{N}]|[.,;])/gu;
/** A French pronoun is an Italian article: the other words tell. */
const FRENCH_IL = /^il (?:.* )?(?:les|des|une|est|dans|pour|avec|sur|du|aux)(?![\p{L}\p{N}])/u;

/** Whether the sentence at `start` begins with a pronoun or a connective, or points at what is above or below it. */
export function leansOnOthers(text: string, start: number, end: number): boolean {
  if (IN_BRACKETS.test(text.charAt(start))) return true;
  const whole = text
    .slice(start, end)
    .toLowerCase()
    .replaceAll("\n", " ")
    .replaceAll("’", "'")
    .replace(OPENING, "");
  const sentence = whole.slice(0, LOOKED_AT).replaceAll(ARABIC_POINTS, "").replaceAll(HAMZA_ALEF, "ا");
  if (UNSPACED_LEANING.test(sentence)) return true;
  if (POINTS_ELSEWHERE.test(whole)) return true;
  const said = sentence.replace(REMARK, "");
  const isOfDocument = OWN_NAME.test(sentence);
  if (!isOfDocument && (beginsLeaning(said) || FRENCH_IL.test(said) || isEnglishFragment(said))) return true;
  return [...whole.matchAll(DEMONSTRATIVE)].some(({ index }) => !OWN_NAME.test(whole.slice(index)));
}

/** How many words are looked at. */
const MAX_WORDS = 5;

function beginsLeaning(sentence: string): boolean {
  const words = [...sentence.matchAll(WORDS)].slice(0, MAX_WORDS).map(([word]) => word);
  if (isListed(LEANING, words)) return true;
  const [first = "", ...rest] = words;
  if (BEFORE_PRONOUN.has(first) && isListed(PRONOUNS, rest)) {
    return !OWN_NAME.test(sentence.slice(sentence.indexOf(first) + first.length).trimStart());
  }
  return BEFORE_PRONOUN.has(words.slice(0, 2).join(" ")) && isListed(PRONOUNS, words.slice(2));
}

/** Whether the first one, two, three or four words are in a list. */
function isListed(list: ReadonlySet<string>, words: readonly string[]): boolean {
  return [1, 2, 3, 4].some((count) => count <= words.length && list.has(words.slice(0, count).join(" ")));
}
