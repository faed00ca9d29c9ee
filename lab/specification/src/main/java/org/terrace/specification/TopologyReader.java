package org.terrace.specification;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;

/** Reads topologies, and refuses those that nothing can be deployed for. Confined to one thread. */
final class TopologyReader {
  private static final String EXPECTED =
      "web/app/middleware/database, such as 1/2/0/1, with 1 to 99 application servers";
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,2})/(\\d{1,2})/(\\d{1,2})/(\\d{1,2})(L?)");

  /** The numbers of data nodes that were tried: one group, and two. */
  private static final Set<Integer> DATA_NODES = Set.of(2, 4);

  private final Problems problems;
  private final Set<String> programs;
  private final boolean isNdbLike;

  /**
   * @param programs the names of the tiers that are programs of the user's own
   * @param isNdbLike whether the third number counts SQL nodes and the fourth data nodes
   */
  TopologyReader(Problems problems, Set<String> programs, boolean isNdbLike) {
    this.problems = problems;
    this.programs = programs;
    this.isNdbLike = isNdbLike;
  }

  Optional<Topology> read(Node node, String key, Problems unused) {
    Optional<String> text = Values.text(FORM, EXPECTED).read(node, key, problems);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher matcher = FORM.matcher(text.get());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int[] counts = new int[Tier.values().length];
    for (int index = 0; index < counts.length; index++) {
      counts[index] = Integer.parseInt(matcher.group(index + 1));
    }
    boolean own = programs.contains(Tier.APP.label());
    if (counts[1] < 1 || (counts[3] < 1 && !own)) {
      problems.add(
          node,
          key
              + " is "
              + Words.describe(node)
              + ", expected "
              + EXPECTED
              + " and 1 to 99 databases");
      return Optional.empty();
    }
    boolean lowCost = !matcher.group(counts.length + 1).isEmpty();
    Optional<String> refusal =
        isNdbLike
            ? refuseNodes(counts, lowCost)
            : own ? refuseOwn(counts, lowCost) : refuse(counts, lowCost);
    refusal.ifPresent(
        reason -> problems.add(node, "topology is '" + text.get() + "', but " + reason));
    return Optional.of(new Topology(counts[0], counts[1], counts[2], counts[3]));
  }

  /** The reason why there can be no such deployment of SQL nodes and data nodes. */
  private Optional<String> refuseNodes(int[] counts, boolean lowCost) {
    if (lowCost) {
      return refuse(counts, true);
    }
    if (!programs.isEmpty()) {
      return Optional.of(
          "the database ndb-like is for the board, whose tables it spreads: leave out tiers, or take"
              + " database: mariadb");
    }
    if (counts[2] < 1) {
      return Optional.of(
          "with database: ndb-like the third number is that of SQL nodes, which has to be 1 or more,"
              + " such as 1/2/2/4");
    }
    if (!DATA_NODES.contains(counts[3])) {
      return Optional.of(
          "with database: ndb-like the fourth number is that of data nodes, which has to be 2 or 4:"
              + " groups of two have the same rows");
    }
    return Optional.empty();
  }

  /** The reason why there can be no such deployment around a program of the user's own. */
  private Optional<String> refuseOwn(int[] counts, boolean lowCost) {
    if (lowCost) {
      return refuse(counts, true);
    }
    if (counts[2] > 0 && !programs.contains(Tier.MIDDLEWARE.label())) {
      return Optional.of(
          "the controller is for the board: the third number has to be 0, or tiers needs a program"
              + " for middleware");
    }
    if (counts[3] > 1 && !programs.contains(Tier.DATABASE.label())) {
      return Optional.of(
          "several databases are a cluster for the board: the fourth number has to be 0 or 1, or"
              + " tiers needs a program for database");
    }
    return Optional.empty();
  }

  /** The reason why there can be no such deployment yet, and what can be. */
  private static Optional<String> refuse(int[] counts, boolean lowCost) {
    if (lowCost) {
      return Optional.of(
          "low-cost nodes are not available yet: leave out the L, and give the databases a limit,"
              + " such as limits: {database: {cpu: 0.25}}");
    }
    if (counts[2] > 1) {
      return Optional.of("a cluster has one controller so far: the third number has to be 0 or 1");
    }
    if (counts[3] > 1 && counts[1] > 1 && counts[2] == 0) {
      return Optional.of(
          "several databases are owned by one process: the third number has to be 1, a controller,"
              + " or the second 1, the one application server");
    }
    return Optional.empty();
  }
}
