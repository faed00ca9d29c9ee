package org.terrace.specification;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.nodes.Node;
import org.terrace.load.mix.Mix;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.scaling.economy.Terms;
import org.terrace.scaling.search.Agreement;
import org.terrace.scaling.search.SearchRules;

/**
 * The reader of what a mesh asks, and of how its trials are chosen: {@code search}, {@code prices},
 * {@code trials} and {@code agreement}. Confined to one thread.
 */
final class SearchReader {
  private static final String SEARCH = "search";
  private static final String PRICES = PricesFile.KEY;
  private static final String TRIALS = "trials";
  private static final String AGREEMENT = "agreement";

  /** The fields that it reads. */
  static final List<String> KEYS = List.of(SEARCH, PRICES, TRIALS, AGREEMENT);

  private static final Duration LONGEST = Duration.ofHours(1);

  /** The part of the configurations that a search tries unless told, one of so many. */
  private static final int TRIED_OF = 4;

  private static final int LEAST_TRIALS = 4;

  private final Problems problems;
  private final Fields mesh;
  private final Optional<SearchMethod> named;
  private final Optional<Prices> prices;
  private final Optional<Long> trials;
  private final Optional<Agreement> agreement;

  /** A reader of a mesh's fields, whose forms it checks at once. */
  SearchReader(Fields mesh, Problems problems) {
    this.mesh = mesh;
    this.problems = problems;
    Map<String, SearchMethod> words = new LinkedHashMap<>();
    for (SearchMethod each : SearchMethod.values()) {
      words.put(each.word(), each);
    }
    named = mesh.optional(SEARCH, Values.oneOf(words));
    prices = mesh.optional(PRICES, PricesFile::inMesh);
    trials = mesh.optional(TRIALS, Values.integer(1, MeshSpecification.MOST_TRIALS));
    agreement = mesh.optional(AGREEMENT, this::agreement);
  }

  private Optional<Agreement> agreement(Node node, String key, Problems unused) {
    Optional<Fields> read = Fields.of(node, key, problems);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = read.get();
    Optional<Duration> within =
        fields.required("within", Values.duration(Duration.ofNanos(1_000), LONGEST));
    Optional<Double> share = fields.required("share", Values.positive(1));
    fields.finish();
    return within.isEmpty() || share.isEmpty()
        ? Optional.empty()
        : Optional.of(new Agreement(within.get().toNanos() / 1e6, share.get()));
  }

  /** The method: as it is named, else as what is asked for needs it. */
  private SearchMethod method(List<PlannedTrial> planned) {
    if (named.isPresent()) {
      return named.get();
    }
    if (mesh.has(AGREEMENT)) {
      return SearchMethod.BISECTION;
    }
    if (!mesh.has(PRICES)) {
      return SearchMethod.FULL;
    }
    return areOfOneKind(planned) ? SearchMethod.GUIDED : SearchMethod.IMPROVEMENT;
  }

  /** Whether configurations differ in the numbers of their servers alone. */
  private static boolean areOfOneKind(List<PlannedTrial> planned) {
    return planned.stream().map(trial -> trial.configuration().kind()).distinct().count() <= 1;
  }

  /** The rules for a mesh of some trials; empty if something is wrong with them: reported. */
  Optional<SearchRules> rules(List<PlannedTrial> planned, long seed) {
    SearchMethod method = method(planned);
    requireWhatItGoesBy(method);
    if (!problems.isEmpty()) {
      return Optional.empty();
    }
    prices.ifPresent(each -> requirePrices(each, planned));
    prices.ifPresent(each -> requireOneLoadOfDay(each, planned));
    if (method.seeksProfit()) {
      requireOneLoad(planned);
      requireThought(planned);
      requireWholeRepeats(method, planned);
    }
    if (method == SearchMethod.GUIDED) {
      requireGuidance(planned);
    }
    return problems.isEmpty()
        ? Optional.of(
            new SearchRules(
                method,
                prices.orElse(null),
                trials.map(Long::intValue).orElse(usualTrials(method, planned)),
                agreement.orElse(null),
                seed))
        : Optional.empty();
  }

  private void requireWhatItGoesBy(SearchMethod method) {
    if (method.seeksProfit() && !mesh.has(PRICES)) {
      problems.add(
          mesh.keyNode(SEARCH),
          "search: "
              + method.word()
              + " looks for the configuration that earns most, and the mesh lacks 'prices'");
    }
    if (method == SearchMethod.BISECTION && !mesh.has(AGREEMENT)) {
      problems.add(
          mesh.keyNode(SEARCH),
          "search: bisection looks for the most users under an agreement, and the mesh lacks"
              + " 'agreement', such as {within: 1s, share: 0.95}");
    }
    if (method != SearchMethod.BISECTION && mesh.has(AGREEMENT)) {
      problems.add(
          mesh.keyNode(AGREEMENT),
          "an agreement is for search: bisection, and this is search: " + method.word());
    }
    if (!method.seeksProfit() && mesh.has(TRIALS)) {
      problems.add(
          mesh.keyNode(TRIALS),
          "'trials' bounds a search that is guided, by improvement or random, and this is search: "
              + method.word()
              + (mesh.has(SEARCH) ? "" : ", as the mesh has no 'prices'"));
    }
  }

  /** Every server and every request has a price, before the first trial is run. */
  private void requirePrices(Prices priced, List<PlannedTrial> planned) {
    if (priced.others() == null) {
      problems.add(
          mesh.keyNode(PRICES),
          "the prices of a mesh have terms for all requests, expected 'others' under requests");
    }
    requireKnownClasses(priced, planned);
    for (PlannedTrial trial : planned) {
      try {
        priced.costPerHour(trial.configuration());
      } catch (IllegalArgumentException e) {
        problems.add(mesh.keyNode(PRICES), String.valueOf(e.getMessage()));
        return;
      }
    }
  }

  /** A class that no user requests would earn nothing, and the search would end with little. */
  private void requireKnownClasses(Prices priced, List<PlannedTrial> planned) {
    Set<String> mixes = new TreeSet<>();
    planned.forEach(trial -> mixes.add(trial.experiment().mix()));
    Set<String> pages = new TreeSet<>();
    mixes.forEach(mix -> pages.addAll(Mix.read(mix).states()));
    for (String name : priced.classes().keySet()) {
      if (!pages.contains(name)) {
        problems.add(
            mesh.keyNode(PRICES),
            Words.unknown("class of requests", name, "the mix " + String.join(", ", mixes), pages));
      }
    }
  }

  /** The varied fields of the load, each once. */
  private static Set<String> variedOfLoad(List<PlannedTrial> planned) {
    List<Map<String, String>> loads =
        planned.stream().map(trial -> trial.configuration().loadVariations()).distinct().toList();
    Set<String> fields = new TreeSet<>();
    if (loads.size() > 1) {
      loads.forEach(each -> fields.addAll(each.keySet()));
    }
    return fields;
  }

  /** Configurations are compared under one load: users of one pace who ask for the same. */
  private void requireOneLoad(List<PlannedTrial> planned) {
    Set<String> varied = variedOfLoad(planned);
    if (!varied.isEmpty()) {
      problems.add(
          mesh.keyNode("vary"),
          "a search compares configurations under the same load, and %s %s varied: choose one, or"
                  .formatted(String.join(", ", varied), varied.size() == 1 ? "is" : "are")
              + " search: full");
    }
  }

  /** A day has numbers of users, and does not say which of several loads these are of. */
  private void requireOneLoadOfDay(Prices priced, List<PlannedTrial> planned) {
    Set<String> varied = variedOfLoad(planned);
    if (!priced.day().isEmpty() && !varied.isEmpty()) {
      problems.add(
          mesh.keyNode(PRICES),
          "the prices have a day, which does not say which of the loads it is of, and %s %s varied:"
                  .formatted(String.join(", ", varied), varied.size() == 1 ? "is" : "are")
              + " leave the day out, or choose one");
    }
  }

  private void requireThought(List<PlannedTrial> planned) {
    if (planned.stream().anyMatch(trial -> Double.isInfinite(trial.offeredPerSecond()))) {
      problems.add(
          mesh.keyNode("load"),
          "a search for the most profit knows how much the users ask for, and users who do not think"
              + " ask for whatever they get: let them think, or choose search: full");
    }
  }

  /** Those that go by the mean of all repeats cannot do with fewer trials. */
  private void requireWholeRepeats(SearchMethod method, List<PlannedTrial> planned) {
    int repeats = repeats(planned);
    if (method != SearchMethod.GUIDED && trials.isPresent() && trials.get() < repeats) {
      problems.add(
          mesh.keyNode(TRIALS),
          "trials is %d, and search: %s runs all %d repeats of a configuration: expected at least %d"
              .formatted(trials.get(), method.word(), repeats, repeats));
    }
  }

  private static int repeats(List<PlannedTrial> planned) {
    return planned.stream().mapToInt(PlannedTrial::repeat).max().orElse(0) + 1;
  }

  private void requireGuidance(List<PlannedTrial> planned) {
    if (!areOfOneKind(planned)) {
      problems.add(
          mesh.keyNode(SEARCH),
          "a guided search knows how busy servers of one kind are, and the database, the types of"
              + " nodes or other fields are varied: choose search: improvement");
    }
    List<Terms> terms = new ArrayList<>();
    prices.ifPresent(each -> {
      terms.addAll(each.classes().values());
      Optional.ofNullable(each.others()).ifPresent(terms::add);
    });
    if (terms.stream().allMatch(each -> each.revenue() == 0)) {
      problems.add(
          mesh.keyNode(PRICES),
          "a guided search goes by what requests earn, and none has a revenue above 0");
    }
  }

  private static int usualTrials(SearchMethod method, List<PlannedTrial> planned) {
    long configurations = planned.stream().map(PlannedTrial::configuration).distinct().count();
    int repeats = repeats(planned);
    long tried = Math.max(LEAST_TRIALS, Math.ceilDiv(configurations, TRIED_OF));
    return Math.toIntExact(method == SearchMethod.GUIDED ? tried : tried * repeats);
  }
}
