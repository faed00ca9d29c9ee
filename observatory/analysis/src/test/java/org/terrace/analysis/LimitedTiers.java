package org.terrace.analysis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * Servers in a row as a network of queues, each with a limit of its own that is known: threads,
 * processors, a quota of processor time, or connections to the next.
 */
final class LimitedTiers {
  private static final long QUOTA_PERIOD_NANOS = 100 * Stations.MILLIS;
  private static final long WAY = 50_000;

  /** As many of anything as never are too few. */
  static final int PLENTY = 100_000;

  /**
   * A server.
   *
   * @param threads the requests that it handles at a time; others wait in the order they came
   * @param processors the steps of requests that it does at a time
   * @param quota the part of one processor that it may use in each period; 0 where it has no quota
   * @param periodNanos the period
   * @param workNanos the mean work of a request
   * @param calls the calls of the next server that a request makes, one after the other
   * @param connections the calls that may be in flight
   * @param calling the part of the requests that make calls
   */
  record Tier(
      String name,
      int threads,
      int processors,
      double quota,
      long periodNanos,
      long workNanos,
      int calls,
      int connections,
      double calling) {
    Tier(
        String name,
        int threads,
        int processors,
        double quota,
        long workNanos,
        int calls,
        int connections) {
      this(name, threads, processors, quota, workNanos, calls, connections, 1);
    }

    Tier(
        String name,
        int threads,
        int processors,
        double quota,
        long workNanos,
        int calls,
        int connections,
        double calling) {
      this(
          name,
          threads,
          processors,
          quota,
          QUOTA_PERIOD_NANOS,
          workNanos,
          calls,
          connections,
          calling);
    }

    Tier withPeriod(long nanos) {
      return new Tier(
          name, threads, processors, quota, nanos, workNanos, calls, connections, calling);
    }
  }

  /**
   * Arrivals at the first server: at a rate, and now and then at another one.
   *
   * @param perSecond requests a second
   * @param burstPerSecond requests a second in bursts
   * @param burstNanos how long each burst is
   * @param everyNanos the time from one to the next
   */
  record Demand(double perSecond, double burstPerSecond, long burstNanos, long everyNanos) {
    double at(long time) {
      return time % everyNanos >= everyNanos - burstNanos ? burstPerSecond : perSecond;
    }
  }

  private final List<Station> stations = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final RequestTable.Builder rows = new RequestTable.Builder();
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
  private final RandomGenerator random;
  private long now;
  private long ordered;

  private record Due(long at, long order, Runnable what) {}

  /** Equal things of which each is taken for a while, first come, first served. */
  private static final class Pool {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    Pool(int size) {
      free = size;
    }

    void take(Runnable then) {
      if (free > 0) {
        free--;
        then.run();
      } else {
        waiting.add(then);
      }
    }

    void putBack() {
      Runnable next = waiting.poll();
      if (next == null) {
        free++;
      } else {
        next.run();
      }
    }
  }

  private final class Station {
    private final Tier tier;
    private final Pool threads;
    private final Pool processors;
    private final Pool connections;
    private final List<Event> stops;
    private long period = -1;
    private long left;

    Station(Tier tier, List<Event> stops) {
      this.tier = tier;
      this.stops = stops.stream().filter(stop -> stop.node().equals(tier.name)).toList();
      threads = new Pool(tier.threads);
      processors = new Pool(tier.quota > 0 ? 1 : tier.processors);
      connections = new Pool(tier.connections);
    }

    void work(Runnable then) {
      processors.take(() -> {
        long work = (long) (exponential() * tier.workNanos / (tier.calls + 1));
        after(
            stopped(tier.quota > 0 ? withinQuota(work) : now + work),
            () -> {
              processors.putBack();
              then.run();
            });
      });
    }

    private long stopped(long usual) {
      long end = usual;
      for (Event stop : stops) {
        long start = stop.startNanos() - Stations.START;
        long over = stop.endNanos() - Stations.START;
        end += start < end && over > now ? over - Math.max(start, now) : 0;
      }
      return end;
    }

    private long withinQuota(long work) {
      long at = now;
      long todo = work;
      while (true) {
        long over = (at / tier.periodNanos + 1) * tier.periodNanos;
        if (at / tier.periodNanos != period) {
          period = at / tier.periodNanos;
          left = (long) (tier.quota * tier.periodNanos);
        }
        long run = Math.min(todo, Math.min(left, over - at));
        at += run;
        todo -= run;
        left -= run;
        if (todo == 0) {
          return at;
        }
        if (left == 0) {
          throttle(at, over);
        }
        at = over;
      }
    }

    private void throttle(long from, long to) {
      events.add(
          new Event(
              tier.name,
              EventKinds.CPU_THROTTLED,
              Stations.START + from,
              Stations.START + to,
              Map.of(EventKinds.PERIOD_MICROS, Long.toString(tier.periodNanos / 1_000))));
    }
  }

  private LimitedTiers(List<Tier> tiers, List<Event> stops, RandomGenerator random) {
    this.random = random;
    tiers.forEach(tier -> stations.add(new Station(tier, stops)));
    events.addAll(stops);
  }

  /** The requests of a run, with the events of quotas and the stops given, as an observation. */
  static Observation run(
      List<Tier> tiers, Demand demand, List<Event> stops, int seconds, RandomGenerator random) {
    LimitedTiers network = new LimitedTiers(tiers, stops, random);
    network.come(demand, seconds * Stations.SECONDS);
    return network.observed(1, seconds);
  }

  /** The same with users who think for a second on average, from the fifth second on. */
  static Observation closed(
      List<Tier> tiers, int users, List<Event> stops, int seconds, RandomGenerator random) {
    LimitedTiers network = new LimitedTiers(tiers, stops, random);
    for (int user = 0; user < users; user++) {
      network.think(seconds * Stations.SECONDS);
    }
    return network.observed(5, seconds);
  }

  private void think(long end) {
    long next = now + (long) (exponential() * Stations.SECONDS);
    if (next < end) {
      after(next, () -> handle(0, "browser", () -> think(end)));
    }
  }

  private Observation observed(int from, int seconds) {
    while (!due.isEmpty()) {
      Due next = due.remove();
      now = next.at;
      next.what.run();
    }
    return Stations.observation(
        stations.stream()
            .map(each -> new Server(each.tier.name, each.tier.name, List.of()))
            .toList(),
        rows.build(),
        events,
        Stations.START + from * Stations.SECONDS,
        Stations.START + seconds * Stations.SECONDS);
  }

  private void come(Demand demand, long end) {
    long next = now + (long) (exponential() * Stations.SECONDS / demand.at(now));
    if (next < end) {
      after(
          next,
          () -> {
            handle(0, "browser", () -> {});
            come(demand, end);
          });
    }
  }

  private void handle(int place, String client, Runnable then) {
    Station station = stations.get(place);
    long arrived = now;
    station.threads.take(() ->
        step(
            place,
            isCalling(station.tier) ? station.tier.calls : 0,
            () -> {
              station.threads.putBack();
              rows.accept(
                  Stations.request(
                      station.tier.name,
                      "page",
                      client,
                      Stations.START + arrived,
                      Stations.START + now,
                      Outcome.OK));
              after(now + WAY, then);
            }));
  }

  private void step(int place, int calls, Runnable then) {
    Station station = stations.get(place);
    station.work(() -> {
      if (calls == 0) {
        then.run();
        return;
      }
      station.connections.take(() ->
          after(
              now + WAY,
              () ->
                  handle(
                      place + 1,
                      station.tier.name,
                      () -> {
                        station.connections.putBack();
                        step(place, calls - 1, then);
                      })));
    });
  }

  private boolean isCalling(Tier tier) {
    return tier.calling >= 1 || random.nextDouble() < tier.calling;
  }

  private double exponential() {
    return -Math.log(1 - random.nextDouble());
  }

  private void after(long time, Runnable what) {
    due.add(new Due(time, ordered++, what));
  }
}
