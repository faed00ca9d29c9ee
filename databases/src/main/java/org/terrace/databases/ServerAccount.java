package org.terrace.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The account under which a database server runs: the caller's own, or, since databases refuse
 * root, an unprivileged one when the caller is root.
 *
 * @param name the account to change to; empty when nothing has to be changed
 * @param launcher what stands before a command to run it under that account
 */
public record ServerAccount(Optional<String> name, Launcher launcher) {
  private static final List<String> CANDIDATES = List.of("postgres", "nobody");
  private static final Path ACCOUNTS = Path.of("/etc/passwd");
  private static final List<String> SYSTEM_FOLDERS =
      List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin");

  /** The three usual programs that run a command under another account, and none. */
  public enum Launcher {
    NONE,
    SETPRIV,
    RUNUSER,
    SU
  }

  /** The account for this process. */
  public static ServerAccount ofThisProcess() {
    if (!isRoot()) {
      return new ServerAccount(Optional.empty(), Launcher.NONE);
    }
    for (String candidate : CANDIDATES) {
      if (groupOf(candidate).isPresent()) {
        return new ServerAccount(Optional.of(candidate), findLauncher(candidate));
      }
    }
    throw new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "The database does not run as root, and there is neither an account 'postgres' nor 'nobody'"
            + " to run it under: make one (useradd --system postgres) or run as an ordinary user.");
  }

  /** The command that runs another command under this account. */
  public List<String> run(List<String> command) {
    List<String> whole = new ArrayList<>();
    String account = name.orElse("");
    switch (launcher) {
      case NONE -> whole.addAll(command);
      case SETPRIV -> {
        whole.addAll(
            List.of(
                "setpriv",
                "--reuid=" + account,
                "--regid=" + groupOf(account).orElseThrow(),
                "--clear-groups",
                "--"));
        whole.addAll(command);
      }
      case RUNUSER -> {
        whole.addAll(List.of("runuser", "-u", account, "--"));
        whole.addAll(command);
      }
      case SU ->
          whole.addAll(List.of("su", "-s", "/bin/sh", account, "-c", "exec " + quoted(command)));
    }
    return whole;
  }

  /** Gives a directory, or a file, to this account and to nobody else. */
  public void own(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    if (name.isPresent()) {
      var owner =
          directory
              .getFileSystem()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(name.get());
      Files.getFileAttributeView(directory, PosixFileAttributeView.class).setOwner(owner);
    }
  }

  /** Fails with what to do when this account cannot reach a directory of another account. */
  public void checkReach(Path directory, String remedy) {
    if (name.isEmpty()) {
      return;
    }
    for (Path step = directory.toAbsolutePath(); step != null; step = step.getParent()) {
      if (!Files.exists(step)) {
        continue;
      }
      try {
        if (!Files.getPosixFilePermissions(step).contains(PosixFilePermission.OTHERS_EXECUTE)
            && !Files.getOwner(step).getName().equals(name.get())) {
          throw new TerraceException(
              ErrorCode.MACHINE_LACKS,
              "The database runs as '%s' because it refuses root, and that account may not enter %s (on the way to %s): %s."
                  .formatted(name.get(), step, directory, remedy));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static boolean isRoot() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot read /proc/self: a database is run on Linux only.", e);
    }
  }

  private static Optional<String> groupOf(String account) {
    try {
      for (String line : Files.readAllLines(ACCOUNTS)) {
        String[] fields = line.split(":", -1);
        if (fields.length > 3 && fields[0].equals(account)) {
          return Optional.of(fields[3]);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new TerraceException(ErrorCode.MACHINE_LACKS, "Cannot read " + ACCOUNTS + ".", e);
    }
  }

  private static Launcher findLauncher(String account) {
    if (exists("setpriv")) {
      return Launcher.SETPRIV;
    }
    if (exists("runuser")) {
      return Launcher.RUNUSER;
    }
    if (exists("su")) {
      return Launcher.SU;
    }
    throw new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "The database does not run as root, and none of setpriv, runuser and su is there to run it as '%s': install util-linux or run as an ordinary user."
            .formatted(account));
  }

  private static boolean exists(String program) {
    return SYSTEM_FOLDERS.stream().anyMatch(f -> Files.isExecutable(Path.of(f, program)));
  }

  private static String quoted(List<String> command) {
    return String.join(
        " ", command.stream().map(word -> "'" + word.replace("'", "'\\''") + "'").toList());
  }
}
