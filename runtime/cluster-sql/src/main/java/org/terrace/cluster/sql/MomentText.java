package org.terrace.cluster.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts that PostgreSQL reads as a moment by its own clock where it takes them for one, such as
 * 'now' and 'today 10:00', alone or in an array, a range or a row.
 */
final class MomentText {
  private static final Set<String> MOMENTS = Set.of("now", "today", "tomorrow", "yesterday");

  /** Words beside a moment that leave it one: among them all short names of zones. */
  private static final Set<String> COMPANIONS =
      Set.of(
          ("at on am pm ad bc t allballs infinity epoch mon tue wed thu fri sat sun "
                  + "acdt acsst acst act acwst adt aedt aesst aest aft akdt akst almst almt amst"
                  + " amt anast anat arst art ast awsst awst azost azot azst azt bdst bdt bnt bort"
                  + " bot bra brst brt bst btt cadt cast cct cdt cest cet cetdst chadt chast chut"
                  + " ckt clst clt cot cst cxt davt ddut easst east eat edt eest eet eetdst egst egt"
                  + " est fet fjst fjt fkst fkt fnst fnt galt gamt gest get gft gilt gmt gyt hkt hst"
                  + " ict idt iot irkst irkt irt ist jayt jst kdt kgst kgt kost krast krat kst lhdt"
                  + " lhst ligt lint lkt magst magt mart mawt mdt mest mesz met metdst mez mht mmt"
                  + " mpt msd msk mst must mut mvt myt ndt nft novst novt npt nst nut nzdt nzst nzt"
                  + " omsst omst pdt pet petst pett pgt pht pkst pkt pmdt pmst pont pst pwt pyst pyt"
                  + " ret sadt sast sct sgt taht tft tjt tkt tmt tot trut tvt uct ulast ulat ut utc"
                  + " uyst uyt uzst uzt vet vlast vlat volt vut wadt wakt wast wat wdt wet wetdst"
                  + " wft wgst wgt xjt yakst yakt yapt yekst yekt z zulu")
              .split(" "));

  private static final Pattern WORD = Pattern.compile("[\\p{L}_]+(?:/[\\p{L}_]+)*");
  private static final Pattern BRACKETS = Pattern.compile("[\\[({].*[])}]", Pattern.DOTALL);
  private static final Pattern BETWEEN = Pattern.compile("[\\[\\](){},\"]");
  private static final Pattern ESCAPE =
      Pattern.compile(
          "\\\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(.))",
          Pattern.DOTALL);

  private MomentText() {}

  /** Whether a text can be read as a moment that is another at each replica. */
  static boolean is(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (MOMENTS.stream().noneMatch(lower::contains)) {
      return false;
    }
    return BRACKETS.matcher(lower).matches()
        ? BETWEEN.splitAsStream(lower).anyMatch(MomentText::isPlain)
        : isPlain(lower);
  }

  /**
   * Refuses a text that ends at a piece and may be a moment; those that follow each other are one.
   */
  static void check(List<SqlToken> tokens, int i) throws RefusedStatementException {
    if (!isString(tokens, i) || (i + 1 < tokens.size() && isString(tokens, i + 1))) {
      return;
    }
    int first = i;
    while (first > 0 && isString(tokens, first - 1)) {
      first--;
    }
    StringBuilder text = new StringBuilder();
    tokens.subList(first, i + 1).forEach(part -> text.append(of(part)));
    if (is(text.toString())) {
      throw new RefusedStatementException(
          "%s may be read as a moment by each replica's clock".formatted(tokens.get(i).text()),
          "give it as a parameter, or call CURRENT_TIMESTAMP");
    }
  }

  private static boolean isString(List<SqlToken> tokens, int i) {
    return tokens.get(i).kind() == SqlToken.Kind.STRING;
  }

  private static boolean isPlain(String lower) {
    boolean moment = false;
    Matcher words = WORD.matcher(lower);
    while (words.find()) {
      String word = words.group();
      boolean isMoment = MOMENTS.contains(word);
      if (!isMoment && !COMPANIONS.contains(word) && word.indexOf('/') < 0) {
        return false;
      }
      moment |= isMoment;
    }
    return moment;
  }

  /** The text that a piece in quotes stands for. */
  static String of(SqlToken string) {
    String text = string.text();
    if (text.startsWith("$")) {
      int tag = text.indexOf('$', 1) + 1;
      return text.substring(tag, text.length() - tag);
    }
    int quote = text.indexOf('\'');
    String inside = text.substring(quote + 1, text.length() - 1).replace("''", "'");
    boolean escapes = quote > 0 && Character.toLowerCase(text.charAt(0)) == 'e';
    return escapes ? ESCAPE.matcher(inside).replaceAll(MomentText::meant) : inside;
  }

  private static String meant(MatchResult escape) {
    for (int group = 1; group <= 4; group++) {
      if (escape.group(group) != null) {
        int point = Integer.parseUnsignedInt(escape.group(group), group == 4 ? 8 : 16);
        return Matcher.quoteReplacement(
            Character.isValidCodePoint(point) ? Character.toString(point) : " ");
      }
    }
    boolean blank = "bfnrt".contains(escape.group(5));
    return blank ? " " : Matcher.quoteReplacement(escape.group(5));
  }
}
