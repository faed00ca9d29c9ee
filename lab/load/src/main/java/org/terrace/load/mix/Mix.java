package org.terrace.load.mix;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The mix of behaviours: the transition table of ordinary sessions, that of authors' sessions, and
 * how many sessions are authors'. Immutable.
 *
 * @param name its name
 * @param writes the states that change data
 * @param user the table of ordinary sessions
 * @param author the table of authors' sessions over the same states; null when there are none
 * @param authorShare the probability that a session is an author's, 0 to 1
 * @param requests the requests of a mix of one's own, whose classes are the states; empty when
 *     users follow the links of pages
 */
public record Mix(
    String name,
    Set<String> writes,
    TransitionTable user,
    @Nullable TransitionTable author,
    double authorShare,
    List<WeightedRequest> requests) {

  /** The mix in which nobody writes. */
  public static final String BROWSE_ONLY = "browse-only";

  /** The mix in which one page in eight writes. */
  public static final String READ_WRITE = "read-write";

  /** The share of authors' sessions in RUBBoS. */
  public static final double RUBBOS_AUTHOR_SHARE = 0.1;

  /**
   * The mean number of requests after which a user of a mix of requests comes back as a new one.
   */
  public static final int REQUESTS_OF_A_SESSION = 100;

  /** The most states of a mix, and so the most classes of requests of one's own. */
  public static final int MAXIMUM_CLASSES = 1_000;

  /** Checks the share and that both tables have the same states. */
  public Mix {
    writes = Set.copyOf(writes);
    requests = List.copyOf(requests);
    checkCount(user.states().size());
    if (!(authorShare >= 0 && authorShare <= 1) || (author == null && authorShare > 0)) {
      throw MixReader.invalid("authorShare", authorShare, "0 to 1, and 0 without an author table");
    }
    if (author != null && !author.states().equals(user.states())) {
      throw MixReader.invalid("author", author.states(), "the states of the user table");
    }
  }

  /**
   * Reads a mix.
   *
   * @param name {@value #BROWSE_ONLY}, {@value #READ_WRITE}, the path of a YAML file of the same
   *     format as those, or {@code rubbos:USER.txt} or {@code rubbos:USER.txt,AUTHOR.txt} with the
   *     paths of RUBBoS's own files
   * @throws org.terrace.core.TerraceException if there is no such mix, or it is wrong
   */
  public static Mix read(String name) {
    return MixReader.read(name);
  }

  /** A mix of RUBBoS's own files. */
  public static Mix rubbos(Path userFile, @Nullable Path authorFile) {
    return new Mix(
        "rubbos",
        RubbosTransitions.WRITES,
        RubbosTransitions.read(userFile),
        authorFile == null ? null : RubbosTransitions.read(authorFile),
        authorFile == null ? 0 : RUBBOS_AUTHOR_SHARE,
        List.of());
  }

  /**
   * A mix of requests that users draw by their weights, whatever they have seen. A session has
   * {@value #REQUESTS_OF_A_SESSION} requests in the mean.
   *
   * @param requests one or more
   * @throws org.terrace.core.TerraceException if there are none, or of more than {@value
   *     #MAXIMUM_CLASSES} classes
   */
  public static Mix ofRequests(String name, List<WeightedRequest> requests) {
    if (requests.isEmpty()) {
      throw MixReader.invalid("requests", requests, "one or more");
    }
    List<String> classes = requests.stream().map(WeightedRequest::requestClass).distinct().toList();
    checkCount(classes.size());
    double sum = requests.stream().mapToDouble(WeightedRequest::weight).sum();
    double[] row = new double[classes.size()];
    for (WeightedRequest request : requests) {
      row[classes.indexOf(request.requestClass())] +=
          request.weight() / sum * (1 - 1.0 / REQUESTS_OF_A_SESSION);
    }
    double[][] next = new double[classes.size()][];
    Arrays.fill(next, row);
    double[] end = new double[classes.size()];
    Arrays.fill(end, 1.0 / REQUESTS_OF_A_SESSION);
    TransitionTable table =
        new TransitionTable(classes, 0, next, new double[classes.size()], end, Map.of());
    return new Mix(name, Set.of(), table, null, 0, requests);
  }

  /** Checks how many states or classes there are, before tables of their squares are made. */
  static void checkCount(int count) {
    if (count > MAXIMUM_CLASSES) {
      throw MixReader.invalid("mix", count + " classes", "at most " + MAXIMUM_CLASSES);
    }
  }

  /** The text, in JSON, that {@link #read} makes a mix of requests of. */
  public static String requestsToText(String name, List<WeightedRequest> requests) {
    return MixReader.requestsToText(name, requests);
  }

  /** Draws a request of a class by the weights; only for a mix of requests. */
  public WeightedRequest draw(int state, RandomGenerator random) {
    String wanted = states().get(state);
    List<WeightedRequest> candidates =
        requests.stream().filter(request -> request.requestClass().equals(wanted)).toList();
    double left =
        random.nextDouble() * candidates.stream().mapToDouble(WeightedRequest::weight).sum();
    for (WeightedRequest candidate : candidates) {
      left -= candidate.weight();
      if (left < 0) {
        return candidate;
      }
    }
    return candidates.getLast();
  }

  /** The names of the states, which states are indexes into. */
  public List<String> states() {
    return user.states();
  }
}
