package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.control.Style;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/**
 * The audit that each call has its effect once: clients enter lots while primaries are killed, and
 * the table is compared with what the clients were told. Confined to one thread.
 */
final class EffectsAudit {
  private static final int CALLERS = 4;
  private static final int BETWEEN_KILLS_MILLIS = 200;

  private final AtomicLong lots = new AtomicLong();
  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<Long> refused = ConcurrentHashMap.newKeySet();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicBoolean going = new AtomicBoolean(true);

  /**
   * The findings of the audit.
   *
   * @param acknowledged calls that were acknowledged
   * @param unknown calls of which the client does not know
   * @param duplicates effects beyond the first of a call, and effects of calls told as not done
   * @param lost acknowledged calls without an effect
   */
  record Verdict(long acknowledged, long unknown, long duplicates, long lost) {}

  /** Kills primaries one after the other under load. */
  static Verdict run(int kills, EffectsDatabase kind, Path log)
      throws IOException, SQLException, InterruptedException {
    try (EffectsDatabase.Open database = kind.open()) {
      EffectsAudit audit = new EffectsAudit();
      audit.load(kills, log, database.words());
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        return audit.judge(statement);
      }
    }
  }

  private void load(int kills, Path log, List<String> database)
      throws IOException, InterruptedException {
    try (Pair pair = new Pair(Style.WARM_PASSIVE, log, database);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        ends.add(callers.submit(() -> call(pair)));
      }
      try {
        for (int kill = 0; kill < kills; kill++) {
          TimeUnit.MILLISECONDS.sleep(BETWEEN_KILLS_MILLIS);
          pair.replacePrimary();
        }
      } finally {
        going.set(false);
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a caller ended: " + e.getCause(), e);
    }
  }

  private void call(Pair pair) {
    try (ServiceClient client = ServiceClient.open(ClientOptions.of(pair))) {
      Lots stub = client.stub(Lots.class, "lots");
      while (going.get()) {
        long lot = lots.incrementAndGet();
        try {
          stub.enter(lot);
          acknowledged.add(lot);
        } catch (InvocationException e) {
          if (e.outcome() == Outcome.NOT_EXECUTED) {
            refused.add(lot);
          } else {
            unknown.incrementAndGet();
          }
        }
      }
    }
  }

  private Verdict judge(Statement statement) throws SQLException {
    Map<Long, Long> effects = new HashMap<>();
    try (ResultSet rows = statement.executeQuery("SELECT lot FROM entered")) {
      while (rows.next()) {
        effects.merge(rows.getLong(1), 1L, Long::sum);
      }
    }
    long duplicates = effects.values().stream().mapToLong(times -> times - 1).sum();
    long undone = refused.stream().filter(effects::containsKey).count();
    long lost = acknowledged.stream().filter(lot -> !effects.containsKey(lot)).count();
    return new Verdict(acknowledged.size(), unknown.get(), duplicates + undone, lost);
  }
}
