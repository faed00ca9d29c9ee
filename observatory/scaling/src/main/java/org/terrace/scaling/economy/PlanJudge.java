package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.repeats.Interval;

/**
 * The judge of statements about what configurations earn. Intervals come from repeats and hold with
 * 95 % confidence, all that a statement rests on jointly: those of all pairs of configurations
 * under all loads and, where prices change, after all changes; of peaks those of all pairs of
 * loads, with the best configuration of each taken as it was found. A tie tells nothing: it neither
 * supports a statement nor speaks against it. Nor does a configuration or a load with trials that
 * failed. Immutable.
 */
public final class PlanJudge {
  /** A factor on a price within which a change of the best configuration is a strong dependence. */
  public static final double STRONG = 2;

  private static final int MOST_NAMED = 3;

  private final List<MeshCell> cells;
  private final List<LostCell> lost;
  private final Prices prices;
  private final ProfitSurface surface;
  private final List<LoadChoice> choices;

  /**
   * A judge of a mesh at these prices.
   *
   * @param mesh the mesh, with a configuration of which not most trials under a load failed
   */
  public PlanJudge(Mesh mesh, Prices prices) {
    CountedCells counted = CountedCells.of(mesh.cells(), mesh.lost());
    this.cells = counted.cells();
    this.lost = counted.lost();
    this.prices = prices;
    this.surface = ProfitSurface.of(cells, prices);
    this.choices = LoadChoice.jointly(surface, lost, 1);
  }

  /** Whether profit is highest under a lower load than revenue, among the best at each load. */
  public Judgement profitPeaksBeforeRevenue() {
    String rule =
        "holds if some load parts them: the highest profit is below it and the highest revenue at"
            + " it or above, each apart by whole intervals from all on the other side; not if the"
            + " highest profit is at some load or above and the highest revenue at it or below,"
            + " likewise, with a lower and a higher load measured";
    List<ProfitCell> bests = choices.stream().map(LoadChoice::best).toList();
    int profit = highest(bests, Comparator.comparingDouble(ProfitCell::profitPerHour));
    int revenue = highest(bests, Comparator.comparingDouble(ProfitCell::revenuePerHour));
    int loads = bests.size();
    // Bonferroni, over all pairs of loads for either peak: any of them may turn out to be the peak.
    double confidence = 1 - (1 - ProfitSurface.CONFIDENCE) / 2 / LoadChoice.pairs(loads);
    IntPredicate lessProfit =
        load ->
            noneFailed(profit, load)
                && above(surface.difference(bests.get(profit), bests.get(load), confidence));
    IntPredicate lessRevenue =
        load ->
            noneFailed(revenue, load)
                && above(
                    surface.revenueDifference(bests.get(revenue), bests.get(load), confidence));
    boolean before =
        IntStream.rangeClosed(profit + 1, revenue)
            .anyMatch(load ->
                IntStream.range(load, loads).allMatch(lessProfit)
                    && IntStream.range(0, load).allMatch(lessRevenue));
    boolean after =
        IntStream.rangeClosed(Math.max(1, revenue), Math.min(profit, loads - 2))
            .anyMatch(load ->
                IntStream.range(0, load).allMatch(lessProfit)
                    && IntStream.range(load + 1, loads).allMatch(lessRevenue));
    String measured =
        String.format(
            Locale.ROOT,
            "profit %s; revenue highest at %d users: %s%s",
            words(bests.get(profit)),
            bests.get(revenue).users(),
            words(bests.get(revenue)),
            more(bests.get(revenue), bests.get(profit)));
    return new Judgement(
        before ? Verdict.HOLDS : after ? Verdict.FAILS : Verdict.CANNOT_TELL, measured, rule);
  }

  private String more(ProfitCell revenue, ProfitCell profit) {
    Interval more = surface.revenueDifference(revenue, profit, ProfitSurface.CONFIDENCE);
    return revenue.equals(profit)
        ? ""
        : String.format(
            Locale.ROOT,
            ", with %.3f an hour more revenue (%s)",
            revenue.revenuePerHour() - profit.revenuePerHour(),
            more == null ? interval(null, null) : interval(more.low(), more.high()));
  }

  /** Whether different loads have different best numbers of servers, of one kind of servers. */
  public Judgement bestDependsOnLoad() {
    String rule =
        "holds if, among the configurations of a kind, which differ in the numbers of their servers"
            + " alone, each earns less than the best of some load, there, by the whole interval; not"
            + " if of each kind one earns more than all others that were measured at every load, by"
            + " whole intervals; two numbers of servers and two loads are the fewest";
    List<List<LoadChoice>> kinds = comparable(LoadChoice.byKind(surface, lost, 1));
    List<List<LoadChoice>> differing = kinds.stream().filter(PlanJudge::differ).toList();
    Verdict verdict =
        !isTold(kinds)
            ? Verdict.CANNOT_TELL
            : !differing.isEmpty()
                ? Verdict.HOLDS
                : kinds.stream().allMatch(PlanJudge::haveOneBest)
                    ? Verdict.FAILS
                    : Verdict.CANNOT_TELL;
    List<List<LoadChoice>> said = differing.isEmpty() ? kinds : differing;
    String measured =
        said.stream()
            .limit(MOST_NAMED)
            .flatMap(List::stream)
            .map(PlanJudge::words)
            .collect(Collectors.joining("; "));
    return new Judgement(
        verdict,
        kinds.isEmpty()
            ? "no kind of servers was measured in two numbers and under two loads"
            : said.size() > MOST_NAMED
                ? measured + "; and of %d more kinds".formatted(said.size() - MOST_NAMED)
                : measured,
        rule);
  }

  private static String words(LoadChoice choice) {
    int ties = choice.ties().size();
    return "%d users: %s%s"
        .formatted(
            choice.users(),
            words(choice.best()),
            ties == 0 ? "" : ", %d not told from it".formatted(ties));
  }

  /** Whether prices and agreements decide which number of servers is best, of one kind. */
  public Judgement bestDependsOnModel() {
    String rule =
        "holds if at some load each configuration of a kind, which differ in the numbers of their"
            + " servers alone, earns less than the best by the whole interval, either now or once a"
            + " price is halved or doubled or all thresholds are multiplied by 0.5, 0.8, 1.25 or 2;"
            + " not if at every load one of each kind earns more than all others, now and after each"
            + " such change, by whole intervals; two numbers of servers and two loads are the"
            + " fewest";
    List<String> told = new ArrayList<>();
    int open = 0;
    List<PriceChange> changes = PriceChange.all(cells, prices);
    int surfaces = changes.size() + 1;
    List<List<LoadChoice>> kinds = comparable(LoadChoice.byKind(surface, lost, surfaces));
    List<LoadChoice> now = kinds.stream().flatMap(List::stream).toList();
    for (PriceChange change : changes) {
      List<LoadChoice> changed =
          comparable(LoadChoice.byKind(ProfitSurface.of(cells, change.prices()), lost, surfaces))
              .stream()
              .flatMap(List::stream)
              .toList();
      for (int i = 0; i < now.size(); i++) {
        List<LoadChoice> both = List.of(now.get(i), changed.get(i));
        if (differ(both)) {
          told.add(
              String.format(
                  Locale.ROOT,
                  "at %d users %s times %.2f makes %s the best",
                  now.get(i).users(),
                  change.parameter(),
                  change.factor(),
                  changed.get(i).best().configuration().label()));
        } else if (!haveOneBest(both)) {
          open++;
        }
      }
    }
    Verdict verdict =
        !isTold(kinds)
            ? Verdict.CANNOT_TELL
            : !told.isEmpty() ? Verdict.HOLDS : open > 0 ? Verdict.CANNOT_TELL : Verdict.FAILS;
    return new Judgement(
        verdict,
        "%d changes within the factors at %d loads of %d kinds of servers%s%s"
            .formatted(
                told.size(),
                now.size(),
                kinds.size(),
                told.isEmpty()
                    ? ""
                    : ": " + String.join("; ", told.subList(0, Math.min(MOST_NAMED, told.size()))),
                open == 0
                    ? ""
                    : "; %d more with configurations that cannot be told from the best now or then"
                        .formatted(open)),
        rule);
  }

  /** The choices of those kinds that were measured in two numbers of servers and two loads. */
  private static List<List<LoadChoice>> comparable(
      Map<Configuration.Kind, List<LoadChoice>> kinds) {
    return kinds.values().stream()
        .filter(choices -> choices.size() > 1 && configurations(choices).distinct().count() > 1)
        .toList();
  }

  private static boolean isTold(List<List<LoadChoice>> kinds) {
    return kinds.stream().flatMap(List::stream).anyMatch(LoadChoice::repeated);
  }

  /** The configurations of choices, those of which all trials failed included. */
  private static Stream<Configuration> configurations(List<LoadChoice> choices) {
    return choices.stream()
        .flatMap(choice ->
            Stream.concat(
                Stream.of(choice.best().configuration()),
                Stream.concat(
                    choice.rivals().stream().map(rival -> rival.cell().configuration()),
                    choice.lost().stream().map(LostCell::configuration))));
  }

  /**
   * Whether no configuration can be the best of all: each is behind in one, beyond chance, those of
   * which all trials failed included.
   */
  private static boolean differ(List<LoadChoice> choices) {
    return configurations(choices)
        .distinct()
        .allMatch(each -> choices.stream().anyMatch(choice -> isBehind(choice, each)));
  }

  /** Whether one configuration is the best of all, beyond chance. */
  private static boolean haveOneBest(List<LoadChoice> choices) {
    return choices.stream().allMatch(choice -> choice.ties().isEmpty() && choice.lost().isEmpty())
        && choices.stream().map(choice -> choice.best().configuration()).distinct().count() == 1;
  }

  /** Whether it earns less beyond chance, which is not known of one that was not measured. */
  private static boolean isBehind(LoadChoice choice, Configuration configuration) {
    return choice.rivals().stream()
        .anyMatch(rival -> rival.cell().configuration().equals(configuration) && !rival.ties());
  }

  /** Whether the best at two loads are those that all trials tell, and not what is left of them. */
  private boolean noneFailed(int first, int second) {
    return !choices.get(first).hasFailures() && !choices.get(second).hasFailures();
  }

  private static boolean above(@Nullable Interval difference) {
    return difference != null && difference.low() > 0;
  }

  private static int highest(List<ProfitCell> bests, Comparator<ProfitCell> order) {
    return bests.indexOf(bests.stream().max(order).orElseThrow());
  }

  private static String words(ProfitCell cell) {
    return String.format(
        Locale.ROOT,
        "%.3f an hour (%s, n = %d) of %s at %d users",
        cell.profitPerHour(),
        interval(cell.low(), cell.high()),
        cell.repeats(),
        cell.configuration().label(),
        cell.users());
  }

  private static String interval(@Nullable Double low, @Nullable Double high) {
    return low == null || high == null
        ? "no interval"
        : String.format(Locale.ROOT, "95 %% interval %.3f to %.3f", low, high);
  }
}
