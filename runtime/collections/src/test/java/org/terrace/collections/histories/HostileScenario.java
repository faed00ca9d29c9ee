package org.terrace.collections.histories;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.Secret;
import org.terrace.groups.builtin.SealedFrames;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.SimulatedNode;

/**
 * Somebody without the keys who hears every datagram, and sends what he heard again, later,
 * elsewhere and altered: with keys nobody is misled. The planted fault is a group without keys.
 */
public final class HostileScenario extends Scenario {
  private static final int HEARD_MAX = 500;
  private static final long ATTACK_NANOS = 3 * MILLI;

  /**
   * The log of groups without keys about bytes that they cannot make sense of. Kept for its level.
   */
  private static final Logger LOG = Logger.getLogger("org.terrace.groups.builtin.Inbox");

  private record Heard(String to, byte[] datagram) {}

  private final Deque<Heard> heard = new ArrayDeque<>();
  private final boolean isEncrypting = random.nextBoolean();
  private long attacks;

  /** Datagrams refused, also by members that have been restarted since. */
  private long refused;

  HostileScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  @Override
  int plainOneIn() {
    return 1;
  }

  @Override
  public SimulatedGroup group(SimulatedNode node, List<String> names) {
    Secret secret = new Secret("a key of this history".getBytes(StandardCharsets.UTF_8));
    GroupKeys keys = isEncrypting ? GroupKeys.encrypting(secret) : GroupKeys.authenticating(secret);
    return SimulatedGroup.sealed(
        node,
        MembershipOptions.defaults(),
        names,
        planted ? Optional.empty() : Optional.of(keys),
        this::hear);
  }

  private void hear(String to, byte[] datagram) {
    heard.addLast(new Heard(to, datagram));
    if (heard.size() > HEARD_MAX) {
      heard.removeFirst();
    }
  }

  @Override
  void begin() {
    LOG.setLevel(Level.OFF);
    attack(cluster.simulation.nowNanos() + 2 * durationNanos);
  }

  private void attack(long endNanos) {
    Heard one = any();
    if (one != null) {
      String to =
          random.nextBoolean() ? one.to : cluster.names.get(random.nextInt(cluster.names.size()));
      byte[] datagram = one.datagram.clone();
      switch (random.nextInt(4)) {
        case 0 -> datagram[random.nextInt(datagram.length)] ^= (byte) (1 << random.nextInt(8));
        case 1 -> random.nextBytes(datagram);
        case 2 -> datagram = SealedFrames.forge(datagram, random);
        default -> attacks++;
      }
      if (cluster.isAtWork(to)) {
        long before = refusedAt(to);
        cluster.site(to).group().hear(datagram);
        refused += refusedAt(to) - before;
      }
    }
    if (cluster.simulation.nowNanos() < endNanos) {
      cluster.simulation.schedule(random.nextLong(2 * ATTACK_NANOS), () -> attack(endNanos));
    }
  }

  private long refusedAt(String name) {
    return cluster.site(name).group().refusedDatagrams();
  }

  private @Nullable Heard any() {
    int skipped = heard.isEmpty() ? 0 : random.nextInt(heard.size());
    for (Heard one : heard) {
      if (skipped-- == 0) {
        return one;
      }
    }
    return null;
  }

  @Override
  void call(Site site, String name, int number) {
    plainCall(name, number);
  }

  @Override
  void judge() {
    LOG.setLevel(null);
    check(attacks > 0, "nobody attacked");
    check(refused > 0, "nothing was refused");
  }
}
