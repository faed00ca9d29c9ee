package org.terrace.databases.ndblike;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.databases.Commands;
import org.terrace.databases.MachineCache;
import org.terrace.databases.ServerAccount;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbPrograms;
import org.terrace.databases.mariadb.MariaDbServer;

/**
 * The programs of an NDB-like cluster on this machine: those that Debian's packages install, or
 * else those that {@link PackageFetch} unpacked into the machine's cache. Immutable.
 *
 * @param root {@code /}, or the directory into which the packages were unpacked
 * @param before the words before each program's own: those that name the libraries unpacked with it
 */
public record NdbLikePrograms(Path root, List<String> before) {
  /** The packages whose programs are run, in the words of Debian and its descendants. */
  public static final List<String> PACKAGES =
      List.of("mariadb-server-core", "mariadb-plugin-spider", "galera-4", "galera-arbitrator-4");

  static final String PLUGINS = "usr/lib/mysql/plugin";
  static final String GALERA = "usr/lib/galera/libgalera_smm.so";
  static final String ARBITRATOR = "usr/bin/garbd";

  /** The file of each package without which it is not there, in their order. */
  private static final List<String> FILES =
      List.of("usr/sbin/mariadbd", PLUGINS + "/ha_spider.so", GALERA, ARBITRATOR);

  private static final Pattern VERSION = Pattern.compile("Ver (\\S+)");
  private static final Path INSTALLED = Path.of("/");

  /** Copies the words. */
  public NdbLikePrograms {
    before = List.copyOf(before);
  }

  /** The programs of this machine; empty when a package is missing. */
  public static Optional<NdbLikePrograms> find() {
    if (missingBelow(INSTALLED).isEmpty()) {
      return Optional.of(new NdbLikePrograms(INSTALLED, List.of()));
    }
    Path unpacked = unpacked();
    return missingBelow(unpacked).isEmpty()
        ? Optional.of(
            new NdbLikePrograms(unpacked, List.of("env", "LD_LIBRARY_PATH=" + libraries(unpacked))))
        : Optional.empty();
  }

  /** The programs of this machine. */
  static NdbLikePrograms require() {
    return find()
        .orElseThrow(() -> new TerraceException(ErrorCode.MACHINE_LACKS, lacking().orElseThrow()));
  }

  /** A sentence that names the packages that are missing and the way to them; empty: none is. */
  public static Optional<String> lacking() {
    return find().isPresent()
        ? Optional.empty()
        : Optional.of(
            "the database ndb-like needs Debian's packages "
                + String.join(", ", missing())
                + ", which are not on this machine: ./terrace doctor --fetch unpacks them without"
                + " root, and apt-get install "
                + String.join(" ", PACKAGES)
                + " installs them");
  }

  /** The packages that are not installed; none where all were unpacked. */
  public static List<String> missing() {
    return find().isPresent() ? List.of() : missingBelow(INSTALLED);
  }

  private static List<String> missingBelow(Path root) {
    List<String> missing = new ArrayList<>();
    for (int each = 0; each < FILES.size(); each++) {
      if (!Files.isReadable(root.resolve(FILES.get(each)))) {
        missing.add(PACKAGES.get(each));
      }
    }
    return missing;
  }

  /** The directory into which packages are unpacked; it need not exist. */
  static Path unpacked() {
    return MachineCache.directory(ServerAccount.ofThisProcess()).resolve("ndb-like");
  }

  /** The directory of the libraries that were unpacked, of the one architecture. */
  private static String libraries(Path root) {
    return root.resolve("usr/lib/x86_64-linux-gnu").toString();
  }

  /** Whether they were unpacked into the cache, and not installed. */
  public boolean isUnpacked() {
    return !root.equals(INSTALLED);
  }

  /** The version that the server tells of itself. */
  public String version() {
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of(file("usr/sbin/mariadbd"), "--no-defaults", "--version"));
    String said = String.join(" ", Commands.linesOf("mariadbd --version", command));
    Matcher version = VERSION.matcher(said);
    return version.find() ? "MariaDB " + version.group(1) : said;
  }

  /** The server's programs, which both kinds of nodes run. */
  MariaDbPrograms server() {
    return MariaDbPrograms.ofPackages(root, before);
  }

  /** A server of these programs alone, on the disk, that has not been prepared yet. */
  public MariaDbServer durableServer(MariaDbOptions options) {
    return new MariaDbServer(
        options, server(), Path.of(System.getProperty("java.io.tmpdir")), "terrace-mariadb-");
  }

  /** The file of one of its parts. */
  String file(String name) {
    return root.resolve(name).toString();
  }
}
