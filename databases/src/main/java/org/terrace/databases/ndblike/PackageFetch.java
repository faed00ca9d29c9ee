package org.terrace.databases.ndblike;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.databases.Commands;
import org.terrace.databases.DirectoryTree;

/**
 * Unpacks Debian's packages into the machine's cache without root: {@code apt-get download} takes
 * them from the sources that the machine trusts and checks their digests, {@code dpkg-deb} unpacks
 * them, and nothing of theirs is run. Stateless.
 */
public final class PackageFetch {
  private static final String DEPENDS = "Depends: ";

  /** Parts of a whole installation that no program here reads. */
  private static final List<String> NOT_NEEDED = List.of("mariadb-common", "mariadb-server");

  private PackageFetch() {}

  /**
   * Fetches what {@link NdbLikePrograms} needs, unless it is there; about 9 MB.
   *
   * @param progress told of each step in a sentence
   * @throws TerraceException when there is no apt, no network, or no such package
   */
  public static void fetch(Consumer<String> progress) {
    if (NdbLikePrograms.find().isPresent()) {
      progress.accept("the programs of ndb-like are there already");
      return;
    }
    Path home = NdbLikePrograms.unpacked();
    try {
      Path fresh = Files.createTempDirectory(home.resolveSibling("."), "unpacking-");
      try {
        fetchInto(fresh, progress);
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
        DirectoryTree.delete(home);
        Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        DirectoryTree.delete(fresh);
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot unpack packages below %s (%s): set TERRACE_CACHE to a directory that may be written."
              .formatted(home.resolveSibling("."), e.getMessage()),
          e);
    }
    if (NdbLikePrograms.find().isEmpty()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "The packages of this machine's release do not hold what is expected; "
              + NdbLikePrograms.lacking().orElse("")
              + ".");
    }
    progress.accept("unpacked into " + home);
  }

  private static void fetchInto(Path fresh, Consumer<String> progress) throws IOException {
    Path archives = Files.createDirectory(fresh.resolve("archives"));
    try {
      List<String> names = new ArrayList<>(NdbLikePrograms.PACKAGES);
      names.addAll(libraries());
      for (String name : names) {
        progress.accept("downloading " + name);
        String script = "cd \"$0\" && exec apt-get -q download \"$1\"";
        List<String> download = List.of("sh", "-c", script, archives.toString(), name);
        Commands.run("apt-get download " + name, download, "");
      }
    } catch (TerraceException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot download the packages %s: %s%nWhere apt-get is there and its lists are missing or old, run apt-get update first; without apt or a network, install the packages from elsewhere."
              .formatted(String.join(", ", NdbLikePrograms.PACKAGES), e.getMessage()),
          e);
    }
    try (Stream<Path> files = Files.list(archives)) {
      for (Path archive : files.sorted().toList()) {
        // The file's name is the package's with its version and architecture.
        progress.accept("unpacking " + archive.getFileName());
        Commands.run(
            "dpkg-deb", List.of("dpkg-deb", "-x", archive.toString(), fresh.toString()), "");
      }
    }
    DirectoryTree.delete(archives);
  }

  /** The packages of libraries that the programs need and the machine does not have. */
  private static Set<String> libraries() {
    List<String> depends =
        new ArrayList<>(List.of("apt-cache", "depends", "--no-conflicts", "--no-breaks"));
    depends.addAll(List.of("--no-replaces", "--no-recommends", "--no-suggests"));
    depends.addAll(NdbLikePrograms.PACKAGES);
    Set<String> names = new TreeSet<>();
    for (String line : Commands.linesOf("apt-cache", depends)) {
      String words = line.strip();
      if (words.startsWith(DEPENDS) && !words.contains("<")) {
        names.add(words.substring(DEPENDS.length()));
      }
    }
    NdbLikePrograms.PACKAGES.forEach(names::remove);
    NOT_NEEDED.forEach(names::remove);
    names.removeIf(PackageFetch::isInstalled);
    return names;
  }

  private static boolean isInstalled(String name) {
    try {
      return Commands.linesOf(
              "dpkg-query", List.of("dpkg-query", "-W", "-f", "${db:Status-Status}\n", name))
          .contains("installed");
    } catch (TerraceException e) {
      return false;
    }
  }
}
