package org.terrace.hosts;

import java.util.Optional;
import java.util.function.Consumer;
import org.terrace.databases.ndblike.MemoryFolder;
import org.terrace.databases.ndblike.NdbLikePrograms;
import org.terrace.databases.ndblike.PackageFetch;
import org.terrace.nodes.machine.MachineCheck;

/** The packages by which this machine runs NDB-like databases. Stateless. */
public final class NdbLikePackages {
  private static final String NAME = "MariaDB with Spider and Galera";
  private static final String GOOD_FOR = "SQL nodes before data nodes (database: ndb-like)";

  private NdbLikePackages() {}

  /** A sentence that names the packages that are missing and the way to them; empty: none is. */
  public static Optional<String> lacking() {
    return NdbLikePrograms.lacking();
  }

  /** Whether they are there, for {@code terrace doctor}. */
  public static MachineCheck check() {
    Optional<NdbLikePrograms> found = NdbLikePrograms.find();
    if (found.isEmpty()) {
      return MachineCheck.optional(
          NAME,
          "packages are missing: " + String.join(", ", NdbLikePrograms.missing()),
          GOOD_FOR,
          Optional.of("./terrace doctor --fetch"));
    }
    return MachineCheck.present(
        NAME,
        "%s, %s; data nodes keep their data in %s"
            .formatted(
                found.get().version(),
                found.get().isUnpacked() ? "unpacked in " + found.get().root() : "installed",
                MemoryFolder.isMemory()
                    ? "memory"
                    : "files of " + MemoryFolder.place() + ", as /dev/shm is no memory or full"),
        GOOD_FOR);
  }

  /**
   * Unpacks them into this machine's cache, without root, unless they are there.
   *
   * @param progress told of each step
   * @throws org.terrace.core.TerraceException when there is no apt, no network or no such package
   */
  public static void fetch(Consumer<String> progress) {
    PackageFetch.fetch(progress);
  }
}
