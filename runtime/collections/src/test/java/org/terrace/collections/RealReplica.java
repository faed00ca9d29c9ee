package org.terrace.collections;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;

/**
 * A process with one replica of a map, told what to do line by line on standard input.
 *
 * <p>Arguments: name, address, port, the others' {@code address:port} with commas in between, the
 * checkpoint file, by how many milliseconds its wall clock is off, and {@code sound} or {@link
 * #PLANTED}. Each answer is a line.
 */
public final class RealReplica {
  /** Drops an update now and then, which the oracles must find. */
  public static final String PLANTED = "planted";

  private static final long ACKNOWLEDGEMENT_NANOS = 3_000_000_000L;
  private static final long CHURN_WAIT_NANOS = 30_000_000_000L;

  /** Pairs of updates after which those before are waited for, so at most twice as many wait. */
  private static final int CHURN_AHEAD = 1_000;

  private static final Duration CHECKPOINT_PERIOD = Duration.ofMillis(300);

  /** The machine's clocks, the wall clock off by what can be changed. */
  private static final class OffsetTime implements TimeSource {
    private volatile long offsetMillis;

    OffsetTime(long offsetMillis) {
      this.offsetMillis = offsetMillis;
    }

    @Override
    public long epochNanos() {
      return TimeSource.system().epochNanos() + Duration.ofMillis(offsetMillis).toNanos();
    }

    @Override
    public long elapsedNanos() {
      return TimeSource.system().elapsedNanos();
    }
  }

  private final OffsetTime time;
  private final Group group;
  private final ReplicatedCollections collections;
  private final ReplicatedMap<String, String> map;

  private RealReplica(String[] arguments) {
    List<InetSocketAddress> others = new ArrayList<>();
    for (String other : arguments[3].split(",", -1)) {
      int colon = other.lastIndexOf(':');
      others.add(
          new InetSocketAddress(
              InetAddress.ofLiteral(other.substring(0, colon)),
              Integer.parseInt(other.substring(colon + 1))));
    }
    time = new OffsetTime(Long.parseLong(arguments[5]));
    GroupOptions place =
        GroupOptions.of("proof", arguments[0], Discovery.of(others))
            .withAddress(InetAddress.ofLiteral(arguments[1]), Integer.parseInt(arguments[2]))
            .withTime(time);
    group = Groups.open(place);
    CollectionsOptions options = CollectionsOptions.defaults().withTime(time);
    collections =
        arguments[6].equals(PLANTED)
            ? ReplicatedCollections.open(
                group, options, new PlantedFaults.DroppedDelta(options.logBytesMax()))
            : ReplicatedCollections.open(
                group, options, new CheckpointFile(Path.of(arguments[4]), CHECKPOINT_PERIOD));
    map = collections.map("proof", MapOptions.of(Codecs.string(), Codecs.string()));
  }

  /** Runs until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    RealReplica replica = new RealReplica(arguments);
    say("ready " + replica.group.self().id());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      replica.obey(line.split(" ", -1));
    }
    replica.collections.close();
    replica.group.close();
  }

  private static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }

  private void obey(String[] words) {
    switch (words[0]) {
      case "put" -> change(words[1], words[2], words[3], level(words[4]));
      case "clock" -> time.offsetMillis = Long.parseLong(words[1]);
      case "view" -> say("view " + group.view().members().size());
      case "protocol" -> say("protocol " + protocol());
      case "state" -> say("state " + state());
      case "contents" -> say("contents " + contents());
      case "churn" -> say("churned " + churn(Integer.parseInt(words[1]), level(words[2])));
      case "heap" -> say("heap " + usedHeapAfterCollection());
      default -> throw new IllegalArgumentException("no such command: " + words[0]);
    }
  }

  static WriteLevel level(String word) {
    return switch (word) {
      case "LOCAL" -> WriteLevel.LOCAL;
      case "ALL" -> WriteLevel.ALL;
      case "allOf(2)" -> WriteLevel.allOf(2);
      default -> WriteLevel.replicas(2);
    };
  }

  /** Puts, or removes for "-", and tells what was seen in the very step. */
  private void change(String call, String key, String value, WriteLevel level) {
    Replica replica = collections.replica();
    ReplicatedMap<String, String> levelled = map.withLevel(level);
    Acknowledgement acknowledgement;
    replica.enter();
    try {
      List<String> seen = map.values(key);
      if (value.equals("-") && seen.isEmpty()) {
        say("nothing " + call);
        return;
      }
      acknowledgement =
          value.equals("-") ? levelled.removeAsync(key) : levelled.putAsync(key, value);
      long sequence = replica.writes().nextSequence() - 1;
      say(
          "made %s %d %d %s"
              .formatted(call, replica.writes().writer(), sequence, String.join(",", seen)));
    } finally {
      replica.leave();
    }
    Thread.startVirtualThread(() -> {
      if (acknowledgement.await(ACKNOWLEDGEMENT_NANOS, 0)) {
        say("acknowledged " + call);
      }
    });
  }

  private String state() {
    Replica replica = collections.replica();
    replica.enter();
    try {
      Encoder vector = new Encoder();
      collections.state().applied().encode(vector);
      CollectionsMetrics metrics = collections.metrics();
      return "%s %d %d %d %d %d %d %d"
          .formatted(
              Base64.getEncoder().encodeToString(vector.toBytes()),
              collections.state().fingerprint(),
              metrics.entries(),
              metrics.writers(),
              metrics.supersededAhead(),
              metrics.silentDivergences(),
              metrics.malformedMessages(),
              metrics.gossipMessagesARoundMax());
    } finally {
      replica.leave();
    }
  }

  /** The version spoken to all, messages of other versions that were refused, and any exclusion. */
  private String protocol() {
    long refused = group.counters().incompatible() + collections.metrics().incompatibleMessages();
    return "%d %d %s".formatted(group.protocol().toAll(), refused, group.exclusion().isPresent());
  }

  private String contents() {
    Map<String, String> all = new TreeMap<>();
    for (String key : map.keySet()) {
      all.put(key, String.join(",", map.values(key)));
    }
    StringBuilder out = new StringBuilder();
    all.forEach((key, values) -> out.append(key).append('=').append(values).append(';'));
    return out.toString();
  }

  /** Puts and removes that many times, never more than one entry at once for each of 64 keys. */
  private String churn(int times, WriteLevel level) {
    @Nullable Acknowledgement ahead = null;
    ReplicatedMap<String, String> levelled = map.withLevel(level);
    for (int i = 0; i < times; i++) {
      String key = "churn" + i % 64;
      levelled.putAsync(key, "value" + i);
      Acknowledgement removed = levelled.removeAsync(key);
      if (i % CHURN_AHEAD == 0) {
        awaitHeld(ahead);
        ahead = removed;
      }
    }
    awaitHeld(ahead);
    awaitHeld(levelled.putAsync("churn", "end"));
    awaitHeld(levelled.removeAsync("churn"));
    CollectionsMetrics metrics = collections.metrics();
    return "%d %d %d %d %d %d"
        .formatted(
            metrics.entries(),
            metrics.writers(),
            metrics.gaps(),
            metrics.supersededAhead(),
            metrics.logBytes(),
            metrics.writesWaiting());
  }

  private static void awaitHeld(@Nullable Acknowledgement update) {
    if (update != null && !update.await(CHURN_WAIT_NANOS, 0)) {
      throw new IllegalStateException("an update was not acknowledged");
    }
  }

  private static long usedHeapAfterCollection() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
