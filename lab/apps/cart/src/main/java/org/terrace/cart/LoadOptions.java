package org.terrace.cart;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.cart.process.ReplicaSource;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.invocation.softstate.SoftStateOptions;

/**
 * The load put on the cart; {@link #USAGE} explains each flag. Immutable.
 *
 * @param source how the replicas are known
 * @param clients concurrent clients
 * @param thinkMillis pause between two calls of a client
 * @param warmUpSeconds time before the measurement
 * @param durationSeconds time of the measurement
 * @param readShare share of reads among the clients' calls
 * @param zipf exponent of the objects' popularity
 * @param objects number of objects
 * @param bytes size of an object
 * @param updateMillis period of the single stream of updates, 0 for none
 * @param updateSeconds how long that stream lasts
 * @param prefix what the names of the objects begin with
 * @param populate whether each object is put once before
 * @param watch names of replicas from which as many more clients read, and only from them
 * @param gone names of replicas that need not be there in the end
 * @param softState how calls are spread over the replicas
 * @param seed of all that is random
 * @param csv where requests are written to
 * @param json where the summary is written to
 */
record LoadOptions(
    ReplicaSource source,
    int clients,
    int thinkMillis,
    int warmUpSeconds,
    int durationSeconds,
    double readShare,
    double zipf,
    int objects,
    int bytes,
    int updateMillis,
    int updateSeconds,
    String prefix,
    boolean populate,
    List<String> watch,
    List<String> gone,
    SoftStateOptions softState,
    long seed,
    Optional<Path> csv,
    Optional<Path> json) {
  static final String USAGE =
      ReplicaSource.USAGE
          + """

            [--clients 8] [--think-ms 20] [--warm-up-s 0] [--duration-s 10] [--reads 0.5] [--zipf 1]
            [--objects 1024] [--bytes 1024] [--updates-every-ms 0] [--updates-for-s DURATION] [--k 1]
            [--discovery adaptive|first-reply] [--hedge-share 0.1] [--prefix item-]
            [--populate no|yes] [--watch NAME,...] [--gone NAME,...] [--seed 1] [--csv FILE] [--json FILE]
          With --updates-every-ms, one stream makes all updates and the clients only read.
          With --watch, as many clients again read from those of --replicas alone, and are told apart.
          In the end all replicas are asked for what they hold; one that cannot be, and is not among --gone,
          fails the load as a missing update does.
          """
          + ReplicaSource.EXPLANATION;

  private static final int DAY_SECONDS = 86_400;

  LoadOptions {
    watch = List.copyOf(watch);
    gone = List.copyOf(gone);
    if (!source.replicas().keySet().containsAll(watch)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--watch is "
              + String.join(",", watch)
              + ": expected some of --replicas, which has "
              + source.replicas().keySet());
    }
  }

  private static List<String> names(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  /** The replicas that are watched. */
  Map<String, InetSocketAddress> watched() {
    Map<String, InetSocketAddress> some = new LinkedHashMap<>(source.replicas());
    some.keySet().retainAll(watch);
    return some;
  }

  /** The name of an object. */
  String item(int number) {
    return prefix + number;
  }

  static LoadOptions of(Flags flags) {
    LoadOptions options =
        new LoadOptions(
            ReplicaSource.of(flags),
            flags.number("--clients", 8, 0, 100_000),
            flags.number("--think-ms", 20, 0, 60_000),
            flags.number("--warm-up-s", 0, 0, DAY_SECONDS),
            flags.number("--duration-s", 10, 1, DAY_SECONDS),
            flags.decimal("--reads", 0.5, 0, 1),
            flags.decimal("--zipf", 1, 0, 10),
            flags.number("--objects", 1024, 1, 10_000_000),
            flags.number("--bytes", 1024, 0, 1 << 20),
            flags.number("--updates-every-ms", 0, 0, 60_000),
            flags.number("--updates-for-s", DAY_SECONDS, 0, DAY_SECONDS),
            flags.text("--prefix", "item-"),
            flags.value("--populate", SoftStateProcess::yesOrNo, () -> Boolean.FALSE, "yes or no"),
            names(flags.text("--watch", "")),
            names(flags.text("--gone", "")),
            SoftStateProcess.softState(flags),
            flags.value("--seed", Long::valueOf, () -> 1L, "a whole number"),
            flags.path("--csv"),
            flags.path("--json"));
    flags.end();
    return options;
  }
}
