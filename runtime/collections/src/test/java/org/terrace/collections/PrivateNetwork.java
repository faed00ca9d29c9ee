package org.terrace.collections;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.terrace.core.process.Keeper;

/**
 * A network namespace of this user in which addresses can be cut off from each other and packets
 * lost; without the right to one, processes share the machine's network and neither can be done.
 */
final class PrivateNetwork implements AutoCloseable {
  private static final int TRIES = 200;
  private static final long PAUSE_NANOS = 10_000_000;

  private final @Nullable Process holder;
  private final boolean canCut;
  private final boolean canLose;

  PrivateNetwork() {
    this.holder = start();
    this.canCut = holder != null && inside("sh", "-c", moveLocalRule());
    this.canLose =
        holder != null
            && inside("nft", "add table inet proof")
            && inside("nft", "add chain inet proof input { type filter hook input priority 0; }");
  }

  private static @Nullable Process start() {
    try {
      Process started =
          Keeper.ofThisProcess()
              .start(
                  new ProcessBuilder(
                          "unshare",
                          "--user",
                          "--net",
                          "--map-current-user",
                          "--keep-caps",
                          "sleep",
                          "1d")
                      .redirectErrorStream(true)
                      .redirectOutput(ProcessBuilder.Redirect.DISCARD));
      for (int i = 0; i < TRIES && started.isAlive(); i++) {
        if (RealProcess.run(enter(started, "ip", "link", "set", "lo", "up"))
            && RealProcess.run(enter(started, "sh", "-c", "! ip -br link | grep -v '^lo '"))) {
          return started;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      started.destroyForcibly();
      return null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Local addresses are looked up after the rules that cut, not before. */
  private static String moveLocalRule() {
    return "ip rule add pref 100 lookup local && ip rule del pref 0";
  }

  private static List<String> enter(Process holder, String... command) {
    List<String> whole = new ArrayList<>();
    whole.addAll(
        List.of(
            "nsenter",
            "--target",
            Long.toString(holder.pid()),
            "--user",
            "--net",
            "--preserve-credentials",
            "--"));
    whole.addAll(List.of(command));
    return whole;
  }

  private boolean inside(String... command) {
    return holder != null && RealProcess.run(enter(holder, command));
  }

  boolean isPrivate() {
    return holder != null;
  }

  boolean canCut() {
    return canCut;
  }

  boolean canLose() {
    return canLose;
  }

  /** The words with which a command begins to run here. */
  List<String> prefix() {
    return holder == null ? List.of() : enter(holder);
  }

  /** Drops all packets between one address and the others. */
  void cut(String one, List<String> others) {
    for (String other : others) {
      inside("ip", "rule", "add", "pref", "10", "from", one, "to", other, "blackhole");
      inside("ip", "rule", "add", "pref", "10", "from", other, "to", one, "blackhole");
    }
  }

  /** Drops that share of all packets, 0 to 100. */
  void lose(int percent) {
    inside("nft", "add rule inet proof input numgen random mod 100 < " + percent + " drop");
  }

  /** Ends cuts and losses. */
  void heal() {
    int tries = 0;
    while (tries < TRIES && inside("ip", "rule", "del", "pref", "10")) {
      tries++;
    }
    if (canLose) {
      inside("nft", "flush chain inet proof input");
    }
  }

  @Override
  public void close() {
    if (holder != null) {
      holder.destroyForcibly();
    }
  }
}
