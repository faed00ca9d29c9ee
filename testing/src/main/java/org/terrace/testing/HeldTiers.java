package org.terrace.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.terrace.testing.HeldBy.Act;

/**
 * Three servers in a row that are really held up: {@code web1} asks {@code app1}, which asks {@code
 * db1} once or twice. Requests wait for workers, processors, connections, a monitor, a row and a
 * disk in turn; a holdup takes one of these, or slows the processors, and everything else follows
 * from the queues. Nothing is drawn while it runs: a request's work depends on the seed and its
 * number alone, so that two runs that differ in a holdup differ by what it did.
 */
public final class HeldTiers {
  /** The start of every run, in nanoseconds since the Unix epoch. */
  public static final long START = 1_700_000_000_000_000_000L;

  static final long MILLI = 1_000_000L;
  private static final long WAY = 30_000;
  private static final long RESENT_FIRST = 200 * MILLI;
  private static final long MONITOR_TOLD = 10 * MILLI;
  private static final long ROW_TOLD = 50 * MILLI;
  private static final long QUOTA_PERIOD = 100 * MILLI;
  private static final double QUOTA_LEFT = 0.35;
  private static final int CROWD_TIMES = 7;
  private static final int POOL = 10;
  private static final int DISKS = 4;

  private final HeldPlan plan;
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
  private final List<ServedVisit> visits = new ArrayList<>();
  private final List<Told> told = new ArrayList<>();
  private final Station web = new Station("web1", 2, 200);
  private final Station app = new Station("app1", 2, 60);
  private final Station db = new Station("db1", 2, POOL);
  private final Slots toApp = new Slots(80);
  private final Slots toDb = new Slots(POOL);
  private final Slots monitor = new Slots(1);
  private final Slots row = new Slots(1);
  private final Slots disk = new Slots(DISKS);
  private long now = START;
  private long order;

  private record Due(long at, long order, Runnable action) {}

  /** A stretch in which the processors of a server are slower. */
  private record Pace(long start, long end, double pace) {}

  /**
   * A run.
   *
   * @param visits all requests, in the order of their start
   * @param told what the servers' logs and the packets tell of waits
   */
  public record Run(List<ServedVisit> visits, List<Told> told) {
    /** The time that requests spent at a server in all, in seconds. */
    public double requestSeconds(String server) {
      return visits.stream()
              .filter(visit -> visit.server().equals(server))
              .mapToLong(visit -> visit.endNanos() - visit.startNanos())
              .sum()
          / 1e9;
    }
  }

  private final class Station {
    final String name;
    final Slots processors;
    final Slots workers;
    final List<Pace> paces = new ArrayList<>();
    final List<Holdup> cuts = new ArrayList<>();

    Station(String name, int processors, int workers) {
      this.name = name;
      this.processors = new Slots(processors);
      this.workers = new Slots(workers);
    }

    void work(double millis, Runnable then) {
      processors.take(() ->
          at(
              end(millis * MILLI),
              () -> {
                processors.putBack();
                then.run();
              }));
    }

    /** The end of work that begins now. */
    private long end(double nanos) {
      long time = now;
      double left = nanos;
      for (Pace each : paces) {
        if (each.end > time) {
          double before = Math.max(0, each.start - time);
          if (left <= before) {
            return time + (long) left;
          }
          left -= before;
          time = Math.max(time, each.start);
          double within = (each.end - time) * each.pace;
          if (left <= within) {
            return time + (long) (left / each.pace);
          }
          left -= within;
          time = each.end;
        }
      }
      return time + (long) left;
    }

    /** Brings a message to or from the server, which is sent again until it arrives. */
    void carry(Runnable then) {
      long sent = now;
      long wait = RESENT_FIRST;
      while (isCut(sent)) {
        told.add(new Told(name, "tcp-timeout", sent, sent + wait));
        sent += wait;
        wait *= 2;
      }
      at(sent + WAY, then);
    }

    private boolean isCut(long time) {
      return cuts.stream().anyMatch(each -> time >= each.startNanos() && time < each.endNanos());
    }
  }

  private HeldTiers(HeldPlan plan) {
    this.plan = plan;
  }

  /** Lets a plan happen. */
  public static Run run(HeldPlan plan) {
    return new HeldTiers(plan).run();
  }

  private Run run() {
    plan.holdups().forEach(this::hold);
    for (Station each : List.of(web, app, db)) {
      each.paces.sort(Comparator.comparingLong(Pace::start));
    }
    arrive(0, START, new SplittableRandom(plan.seed()));
    while (!due.isEmpty()) {
      Due next = due.remove();
      now = next.at;
      next.action.run();
    }
    visits.sort(Comparator.comparingLong(ServedVisit::startNanos));
    return new Run(List.copyOf(visits), List.copyOf(told));
  }

  private void at(long time, Runnable action) {
    due.add(new Due(time, order++, action));
  }

  private void hold(Holdup held) {
    Station station =
        held.by().server().equals("db1") ? db : held.by() == HeldBy.RELEASE ? web : app;
    switch (held.by().act) {
      case PACE -> station.paces.add(new Pace(held.startNanos(), held.endNanos(), held.by().pace));
      case QUOTA -> withhold(station, held);
      case MONITOR -> keep(monitor, 1, held);
      case ROW -> keep(row, 1, held);
      case DISK -> keep(disk, DISKS, held);
      case POOL -> keep(toDb, POOL - 1, held);
      case LINK -> station.cuts.add(held);
      case CROWD -> {}
    }
  }

  private void withhold(Station station, Holdup held) {
    for (long at = held.startNanos(); at < held.endNanos(); at += QUOTA_PERIOD) {
      long from = at + (long) (QUOTA_LEFT * QUOTA_PERIOD);
      station.paces.add(new Pace(from, at + QUOTA_PERIOD, 0));
      told.add(new Told(station.name, "cpu-throttled", HeldPlan.reading(from), at + QUOTA_PERIOD));
    }
  }

  private void keep(Slots slots, int count, Holdup held) {
    for (int i = 0; i < count; i++) {
      at(
          held.startNanos(),
          () -> slots.take(() -> at(Math.max(now, held.endNanos()), slots::putBack)));
    }
  }

  /** Lets the requests of the plan come, of which each draws its own work. */
  private void arrive(int number, long time, SplittableRandom arrivals) {
    long next = time + (long) (exponential(arrivals) * 1e9 / plan.perSecond());
    if (next >= START + plan.seconds() * 1_000L * MILLI) {
      return;
    }
    SplittableRandom own = new SplittableRandom(plan.seed() * 31 + number);
    at(
        next,
        () -> {
          page(own);
          arrive(number + 1, next, arrivals);
        });
    SplittableRandom crowd = own.split();
    boolean crowded =
        plan.holdups().stream()
            .filter(held -> held.by().act == Act.CROWD)
            .anyMatch(held -> next >= held.startNanos() && next < held.endNanos());
    for (int more = 1; crowded && more < CROWD_TIMES; more++) {
      SplittableRandom another = crowd.split();
      at(next + more * MILLI / 3, () -> page(another));
    }
  }

  private void page(SplittableRandom random) {
    boolean writes = random.nextDouble() < 0.35;
    boolean locks = random.nextDouble() < 0.8;
    boolean twice = random.nextDouble() < 0.5;
    double[] work = new double[6];
    for (int i = 0; i < work.length; i++) {
      // Lognormal with a mean of one.
      work[i] = Math.exp(0.7 * gaussian(random) - 0.245);
    }
    visit(
        web,
        writes ? "POST /page" : "GET /page",
        "browser",
        answer ->
            web.work(
                0.5 * work[0],
                () ->
                    toApp.take(() ->
                        visit(
                            app,
                            writes ? "POST /item" : "GET /item",
                            "web1",
                            answered ->
                                guarded(
                                    locks,
                                    () ->
                                        app.work(
                                            1.2 * work[1],
                                            () ->
                                                query(
                                                    writes,
                                                    work[2],
                                                    () ->
                                                        app.work(
                                                            1.2 * work[3],
                                                            () -> {
                                                              if (twice) {
                                                                query(
                                                                    false,
                                                                    work[4],
                                                                    () -> answered.accept(now));
                                                              } else {
                                                                answered.accept(now);
                                                              }
                                                            })))),
                            () -> {
                              toApp.putBack();
                              web.work(0.3 * work[5], () -> answer.accept(now));
                            }))),
        () -> {});
  }

  /** A short look behind a monitor, if a request needs it. */
  private void guarded(boolean locks, Runnable then) {
    if (!locks) {
      then.run();
      return;
    }
    long asked = now;
    monitor.take(() -> {
      tell("app1", "monitor-wait", asked, MONITOR_TOLD);
      at(
          now + 50_000,
          () -> {
            monitor.putBack();
            then.run();
          });
    });
  }

  private void query(boolean writes, double work, Runnable then) {
    toDb.take(() ->
        visit(
            db,
            writes ? "UPDATE" : "SELECT",
            "app1",
            answered ->
                db.work(
                    1.8 * work,
                    () -> {
                      if (writes) {
                        write(() -> answered.accept(now));
                      } else {
                        answered.accept(now);
                      }
                    }),
            () -> {
              toDb.putBack();
              then.run();
            }));
  }

  private void write(Runnable then) {
    long asked = now;
    row.take(() -> {
      tell("db1", "lock-wait", asked, ROW_TOLD);
      at(
          now + 100_000,
          () -> {
            row.putBack();
            disk.take(() ->
                at(
                    now + 2 * MILLI,
                    () -> {
                      disk.putBack();
                      then.run();
                    }));
          });
    });
  }

  private void tell(String node, String kind, long asked, long least) {
    if (now - asked >= least) {
      told.add(new Told(node, kind, asked, now));
    }
  }

  private interface Service {
    void serve(LongConsumer answered);
  }

  private void visit(Station station, String kind, String client, Service service, Runnable then) {
    long sent = now;
    station.carry(() ->
        station.workers.take(() ->
            service.serve(time -> {
              station.workers.putBack();
              station.carry(() -> {
                visits.add(new ServedVisit(station.name, kind, client, sent, now));
                then.run();
              });
            })));
  }

  private static double exponential(SplittableRandom random) {
    return -Math.log(1 - random.nextDouble());
  }

  private static double gaussian(SplittableRandom random) {
    return random.nextGaussian();
  }
}
