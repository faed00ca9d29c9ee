package org.terrace.nodes.setting;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A program of the user's own that plays the servers of a tier. Immutable.
 *
 * @param command the program and its arguments, in which <code>$TERRACE_NAME</code> and the like
 *     stand for {@link #VARIABLES}; at least one word
 * @param ready the sign that a server accepts work
 * @param directory the directory it starts in
 * @param environment variables beside those of the runner, in whose values variables stand too
 * @param files the files whose content decides what it does
 * @param metrics the metrics that it tells, if any are to be read
 */
public record TierProgram(
    List<String> command,
    Ready ready,
    Path directory,
    Map<String, String> environment,
    List<Path> files,
    Optional<Metrics> metrics) {
  /** The name of the server, for example {@code app1}. */
  public static final String NAME = "TERRACE_NAME";

  /** The number of the server in its tier, from one. */
  public static final String NUMBER = "TERRACE_NUMBER";

  /** The address that the server listens at, and connects from. */
  public static final String ADDRESS = "TERRACE_ADDRESS";

  /** The port that the server listens at. */
  public static final String PORT = "TERRACE_PORT";

  /** The places of the next tier's servers, {@code address:port}, with commas between; or empty. */
  public static final String NEXT = "TERRACE_NEXT";

  /** The URL by which JDBC reaches the database that Terrace runs, if it does. */
  public static final String JDBC_URL = "TERRACE_JDBC_URL";

  /** The user of that database, who has no password. */
  public static final String JDBC_USER = "TERRACE_JDBC_USER";

  /** The program {@code java} of the Java that runs Terrace. */
  public static final String JAVA = "TERRACE_JAVA";

  /** The variables that a server is told by, in its environment and in its command. */
  public static final List<String> VARIABLES =
      List.of(NAME, NUMBER, ADDRESS, PORT, NEXT, JAVA, JDBC_URL, JDBC_USER);

  /** The variables that are there only beside a database of Terrace's. */
  public static final List<String> OF_DATABASE = List.of(JDBC_URL, JDBC_USER);

  /** The beginning of the names of all variables that Terrace sets. */
  public static final String PREFIX = "TERRACE_";

  private static final Pattern PLACE = Pattern.compile("\\$(?:(TERRACE_\\w*)|\\{(TERRACE_\\w*)})");

  /** Copies the collections. */
  public TierProgram {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    files = List.copyOf(files);
    if (command.isEmpty()) {
      throw new IllegalArgumentException("a command without a word");
    }
  }

  /**
   * The sign that a server accepts work: connections at its port, or an answer with a status from
   * 200 to 299 to a GET.
   *
   * @param path the path of the GET; empty when connections are enough
   * @param port the port at the server's address; empty for that which it serves at
   * @param within the longest time it may take
   */
  public record Ready(Optional<String> path, OptionalInt port, Duration within) {}

  /**
   * The metrics that a server tells in Prometheus's text format.
   *
   * @param path the path of the GET
   * @param port the port at the server's address; empty for that which it serves at
   * @param declared the metrics that are kept
   */
  public record Metrics(String path, OptionalInt port, DeclaredMetrics declared) {}

  /** The names of the variables that a text refers to, known or not. */
  public static List<String> namesIn(String text) {
    return PLACE
        .matcher(text)
        .results()
        .map(found -> name(found.group(1), found.group(2)))
        .toList();
  }

  /** A text with the values of the variables that it refers to; others are left as they are. */
  public static String filled(String text, Map<String, String> values) {
    return PLACE
        .matcher(text)
        .replaceAll(found ->
            Matcher.quoteReplacement(
                values.getOrDefault(name(found.group(1), found.group(2)), found.group())));
  }

  private static String name(@Nullable String bare, @Nullable String braced) {
    return bare != null ? bare : Objects.requireNonNull(braced);
  }
}
