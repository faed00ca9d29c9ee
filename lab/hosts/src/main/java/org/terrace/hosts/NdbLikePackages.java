package org.terrace.hosts;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.terrace.databases.ndblike.MemoryFolder;
import org.terrace.databases.ndblike.NdbLikePrograms;
import org.terrace.databases.ndblike.PackageFetch;

/** The packages by which this machine runs NDB-like databases. Stateless. */
public final class NdbLikePackages {
  private NdbLikePackages() {}

  /** A sentence that names the packages that are missing and the way to them; empty: none is. */
  public static Optional<String> lacking() {
    return NdbLikePrograms.lacking();
  }

  /** The names of the packages that are missing; empty when nothing is. */
  public static List<String> missing() {
    return NdbLikePrograms.missing();
  }

  /**
   * A clause about their version, their place and that of data nodes' data; empty when they are
   * missing.
   */
  public static Optional<String> found() {
    return NdbLikePrograms.find()
        .map(programs ->
            "%s, %s; data nodes keep their data in %s"
                .formatted(
                    programs.version(),
                    programs.isUnpacked() ? "unpacked in " + programs.root() : "installed",
                    MemoryFolder.isMemory()
                        ? "memory"
                        : "files of "
                            + MemoryFolder.place()
                            + ", as /dev/shm is no memory or full"));
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
