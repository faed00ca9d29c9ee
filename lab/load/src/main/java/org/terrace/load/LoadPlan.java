package org.terrace.load;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.load.mix.ThinkTime;

/**
 * The plan of the emulated users: the whole input of a {@link LoadProcess}. Immutable.
 *
 * @param targets where the application is, as {@code http://host:port}; sessions take them in turn
 * @param model closed or open load
 * @param think the think time of every state without one of its own; ignored by an open load
 * @param thinkOverrides think times by state, which win over those of the mix
 * @param mix {@code browse-only}, {@code read-write}, or the path of a mix of one's own in YAML
 * @param phases how long the load grows, stays and ebbs
 * @param pace how much of a hurry the users are in over the run
 * @param seed every draw of every user is a function of this seed and the pages received
 * @param sourceAddresses local addresses that connections come from, in turn; one holds about
 *     17,000 users; empty leaves the choice to the operating system
 * @param limits how long to wait, and how much to hold
 * @param output the directory that the results go to; created when absent
 */
public record LoadPlan(
    List<URI> targets,
    Model model,
    ThinkTime think,
    Map<String, ThinkTime> thinkOverrides,
    String mix,
    Phases phases,
    LoadPace pace,
    long seed,
    List<String> sourceAddresses,
    Limits limits,
    Path output) {

  /** The most users of one process. */
  public static final int MAXIMUM_USERS = 100_000;

  /** The most requests a second of one process. */
  public static final double MAXIMUM_RATE = 100_000;

  /** Copies the collections and checks targets. */
  public LoadPlan {
    targets = List.copyOf(targets);
    thinkOverrides = Map.copyOf(thinkOverrides);
    sourceAddresses = List.copyOf(sourceAddresses);
    if (targets.isEmpty()) {
      throw invalid("targets", "none", "at least one http://host:port");
    }
    for (URI target : targets) {
      if (!"http".equals(target.getScheme()) || target.getHost() == null || target.getPort() < 1) {
        throw invalid("targets", target, "http://host:port");
      }
    }
  }

  /** A plan with default limits, no think time overrides and one target and source address. */
  public static LoadPlan of(
      URI target,
      Model model,
      ThinkTime think,
      String mix,
      Phases phases,
      long seed,
      String sourceAddress,
      Path output) {
    return new LoadPlan(
        List.of(target),
        model,
        think,
        Map.of(),
        mix,
        phases,
        LoadPace.STEADY,
        seed,
        List.of(sourceAddress),
        Limits.DEFAULT,
        output);
  }

  /**
   * Reads a plan from a JSON file as {@link #write} leaves it.
   *
   * @throws TerraceException if the file is missing or wrong; the message names file and field
   */
  public static LoadPlan read(Path file) {
    return LoadPlanJson.read(file);
  }

  /** Writes the plan as JSON, atomically. */
  public void write(Path file) {
    LoadPlanJson.write(this, file);
  }

  static TerraceException invalid(String field, Object value, String expected) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        "load plan, " + field + ": '" + value + "' is not valid; expected " + expected + ".");
  }

  /** The model of a load: it decides when the next request comes. Immutable. */
  public sealed interface Model {
    /** The most sessions at any moment. */
    int users();
  }

  /**
   * A fixed number of users, each of whom waits for a page, thinks, and asks for the next: a slow
   * service is asked less.
   *
   * @param users how many, 1 to {@value LoadPlan#MAXIMUM_USERS}
   */
  public record Closed(int users) implements Model {
    /** Checks the range. */
    public Closed {
      checkUsers(users);
    }
  }

  /**
   * Requests that arrive at a fixed rate, however slow the service is. Each arrival is one step of
   * the walk of the user who has been idle longest; when all users wait for pages, arrivals queue.
   *
   * @param requestsPerSecond the rate in the run phase, above zero and at most {@value
   *     LoadPlan#MAXIMUM_RATE}; during ramp-up it grows linearly from zero
   * @param spacing how arrivals are spread in time
   * @param users the most sessions, and so the most requests in flight, at any moment
   */
  public record Open(double requestsPerSecond, Spacing spacing, int users) implements Model {
    private static final double SECONDS_BETWEEN_PAGES = 7;

    /** Checks the ranges. */
    public Open {
      checkUsers(users);
      if (!(requestsPerSecond > 0 && requestsPerSecond <= MAXIMUM_RATE)) {
        throw invalid("requestsPerSecond", requestsPerSecond, "above 0, at most " + MAXIMUM_RATE);
      }
    }

    /**
     * Poisson arrivals with as many sessions as give each user seven seconds between pages, as
     * RUBBoS's users have.
     */
    public static Open poisson(double requestsPerSecond) {
      double users = Math.ceil(requestsPerSecond * SECONDS_BETWEEN_PAGES);
      return new Open(
          requestsPerSecond, Spacing.POISSON, (int) Math.clamp(users, 1, MAXIMUM_USERS));
    }
  }

  /** The spread of the arrivals of an open load. */
  public enum Spacing {
    /** Independent of each other: exponential gaps. */
    POISSON,
    /** Equal gaps. */
    UNIFORM
  }

  /**
   * The three stretches of a run of load. Immutable.
   *
   * @param rampUp users start evenly spread over this time, zero or more
   * @param run all users are there, more than zero
   * @param rampDown how long requests in flight are waited for once no new one is sent
   */
  public record Phases(Duration rampUp, Duration run, Duration rampDown) {
    /** Checks that the run is there and nothing is negative. */
    public Phases {
      if (rampUp.isNegative() || rampDown.isNegative() || run.isNegative() || run.isZero()) {
        throw invalid("phases", rampUp + ", " + run + ", " + rampDown, "a run above zero");
      }
    }
  }

  /**
   * Bounds of one run. Immutable.
   *
   * @param connect the longest wait for a connection, at least 1 ms
   * @param response the longest wait from the first byte of a request to the last of its response
   * @param backlog the most arrivals of an open load that wait for an idle user; more are dropped
   *     and counted
   */
  public record Limits(Duration connect, Duration response, int backlog) {
    /** Five seconds to connect, sixty to answer, 100,000 waiting arrivals. */
    public static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(5), Duration.ofSeconds(60), 100_000);

    /** Checks the ranges. */
    public Limits {
      if (connect.toMillis() < 1 || response.toMillis() < 1) {
        throw invalid("limits", connect + ", " + response, "at least 1 ms each");
      }
      if (backlog < 1) {
        throw invalid("limits.backlog", backlog, "at least 1");
      }
    }
  }

  private static void checkUsers(int users) {
    if (users < 1 || users > MAXIMUM_USERS) {
      throw invalid("users", users, "1 to " + MAXIMUM_USERS);
    }
  }
}
