package org.terrace.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * A station of {@code m} equal servers behind one queue, first come, first served: requests of
 * several classes arrive in bursts, wait, are served and leave. During an injected pause nothing is
 * served; requests still arrive. So the true congestion point is {@code m} and the true stalls are
 * the pauses. The whole outcome is a function of the seed.
 *
 * <p>Confined to one thread. Takes O(requests * log m).
 */
public final class StationSimulator {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Settings settings;

  /** A station with the given settings. */
  public StationSimulator(Settings settings) {
    this.settings = settings;
  }

  /**
   * The settings of a station.
   *
   * @param servers how many requests are served at a time: m
   * @param classes the classes of requests
   * @param utilisation the part of the capacity that arrivals ask for on average, 0 to 1
   * @param bursts how much the arrival rate swings; {@link Bursts#NONE} for a Poisson process
   * @param startNanos the time of the first possible arrival
   * @param durationNanos how long requests arrive
   * @param pauses stretches in which nothing is served, disjoint and in order of time
   */
  public record Settings(
      int servers,
      List<RequestClass> classes,
      double utilisation,
      Bursts bursts,
      long startNanos,
      long durationNanos,
      List<Pause> pauses) {
    /** Copies the lists. */
    public Settings {
      classes = List.copyOf(classes);
      pauses = List.copyOf(pauses);
    }

    /** The requests a second that the station can serve. */
    public double capacityPerSecond() {
      double share = 0;
      double demand = 0;
      for (RequestClass each : classes) {
        share += each.share();
        demand += each.share() * each.meanServiceNanos();
      }
      return servers * NANOS_PER_SECOND * share / demand;
    }

    /** These settings with other pauses. */
    public Settings withPauses(List<Pause> other) {
      return new Settings(servers, classes, utilisation, bursts, startNanos, durationNanos, other);
    }
  }

  /**
   * A class of requests.
   *
   * @param name its name
   * @param share its part of the requests, relative to the shares of the others
   * @param meanServiceNanos its mean service time
   * @param stages the stages of its Erlang-distributed service time: 1 is exponential, many nearly
   *     constant
   */
  public record RequestClass(String name, double share, double meanServiceNanos, int stages) {}

  /**
   * A stretch of time without service.
   *
   * @param startNanos its start
   * @param endNanos its end
   */
  public record Pause(long startNanos, long endNanos) {}

  /**
   * A rate of arrivals that alternates between high and low, each for an exponentially distributed
   * time of the same mean, and keeps its average.
   *
   * @param swing how far the rate goes up and down, as a part of its mean, 0 to 1
   * @param meanNanos the mean time between changes
   */
  public record Bursts(double swing, double meanNanos) {
    /** A steady rate. */
    public static final Bursts NONE = new Bursts(0, 1e9);
  }

  /**
   * The requests of a run, in order of arrival. The arrays have one length.
   *
   * @param arrivalNanos when each arrived
   * @param departureNanos when each left
   * @param requestClass its class, as an index into the settings' classes
   */
  public record Run(long[] arrivalNanos, long[] departureNanos, int[] requestClass) {
    /** The number of requests. */
    public int size() {
      return arrivalNanos.length;
    }
  }

  /** Runs the station. */
  public Run run(long seed) {
    RandomGenerator random = Seeds.generator(seed);
    long[] arrivals = arrivals(random);
    long[] departures = new long[arrivals.length];
    int[] classes = new int[arrivals.length];
    PriorityQueue<Double> free = new PriorityQueue<>();
    for (int i = 0; i < settings.servers(); i++) {
      free.add(0.0);
    }
    for (int i = 0; i < arrivals.length; i++) {
      classes[i] = pickClass(random);
      double arrived = workAt(arrivals[i]);
      double begun = Math.max(arrived, free.remove());
      double ended = begun + service(random, settings.classes().get(classes[i]));
      free.add(ended);
      departures[i] = Math.max(arrivals[i], timeOf(ended));
    }
    return new Run(arrivals, departures, classes);
  }

  /** Pauses at random times, of random lengths, at least a given time apart. */
  public static List<Pause> pauses(
      RandomGenerator random,
      Settings settings,
      int count,
      long shortestNanos,
      long longestNanos,
      long apartNanos) {
    long slot = settings.durationNanos() / count;
    List<Pause> pauses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long length = random.nextLong(shortestNanos, longestNanos + 1);
      long room = slot - length - apartNanos;
      if (room <= 0) {
        throw new IllegalArgumentException("no room for " + count + " pauses");
      }
      long start = settings.startNanos() + i * slot + apartNanos / 2 + random.nextLong(room);
      pauses.add(new Pause(start, start + length));
    }
    return pauses;
  }

  private long[] arrivals(RandomGenerator random) {
    double rate = settings.capacityPerSecond() * settings.utilisation() / NANOS_PER_SECOND;
    long[] arrivals = new long[1024];
    int size = 0;
    boolean high = random.nextBoolean();
    double change = random.nextExponential() * settings.bursts().meanNanos();
    double time = 0;
    while (true) {
      double now = rate * (1 + (high ? 1 : -1) * settings.bursts().swing());
      double next = now > 0 ? time + random.nextExponential() / now : Double.POSITIVE_INFINITY;
      if (next > change) {
        // The exponential has no memory: drawing anew at the change keeps the process exact.
        time = change;
        change += random.nextExponential() * settings.bursts().meanNanos();
        high = !high;
        if (time >= settings.durationNanos()) {
          return Arrays.copyOf(arrivals, size);
        }
        continue;
      }
      time = next;
      if (time >= settings.durationNanos()) {
        return Arrays.copyOf(arrivals, size);
      }
      if (size == arrivals.length) {
        arrivals = Arrays.copyOf(arrivals, size * 2);
      }
      arrivals[size++] = settings.startNanos() + (long) time;
    }
  }

  private int pickClass(RandomGenerator random) {
    double sum = 0;
    for (RequestClass each : settings.classes()) {
      sum += each.share();
    }
    double at = random.nextDouble() * sum;
    for (int i = 0; i < settings.classes().size() - 1; i++) {
      at -= settings.classes().get(i).share();
      if (at < 0) {
        return i;
      }
    }
    return settings.classes().size() - 1;
  }

  private static double service(RandomGenerator random, RequestClass requestClass) {
    double sum = 0;
    for (int i = 0; i < requestClass.stages(); i++) {
      sum += random.nextExponential();
    }
    return sum * requestClass.meanServiceNanos() / requestClass.stages();
  }

  /** The nanoseconds of service that each server could have given from the start up to a time. */
  private double workAt(long time) {
    long work = time - settings.startNanos();
    for (Pause pause : settings.pauses()) {
      if (time <= pause.startNanos()) {
        break;
      }
      work -= Math.min(time, pause.endNanos()) - pause.startNanos();
    }
    return work;
  }

  /** The time at which that much service has been given. */
  private long timeOf(double work) {
    long time = settings.startNanos() + (long) work;
    for (Pause pause : settings.pauses()) {
      if (time < pause.startNanos()) {
        break;
      }
      time += pause.endNanos() - pause.startNanos();
    }
    return time;
  }
}
