package org.terrace.capture;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.process.ShortCommand;

/**
 * The user's right to a user and network namespace of its own, in which every user may capture;
 * found by trying. Immutable.
 *
 * @param permitted whether it worked
 * @param detail what was found, in one sentence
 * @param remedy the one command that permits it; empty when it is, or when none is known
 */
public record NamespaceSupport(boolean permitted, String detail, Optional<String> remedy) {
  /** A setting of the kernel that forbids namespaces while it has a certain value. */
  private record Setting(String name, String forbidding, String permitting) {
    boolean forbids() {
      try {
        Path file = Path.of("/proc/sys", name.replace('.', '/'));
        return Files.isReadable(file) && Files.readString(file).strip().equals(forbidding);
      } catch (IOException e) {
        return false;
      }
    }
  }

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("user.max_user_namespaces", "0", "15000"),
          new Setting("user.max_net_namespaces", "0", "15000"),
          new Setting("kernel.unprivileged_userns_clone", "0", "1"),
          new Setting("kernel.apparmor_restrict_unprivileged_userns", "1", "0"));

  /** Tries it, in a short-lived process; takes some ten milliseconds. */
  public static NamespaceSupport ofThisUser() {
    Optional<Path> unshare = CaptureSystem.program("unshare");
    if (!CaptureSystem.isLinux()) {
      return new NamespaceSupport(false, "namespaces need Linux", Optional.empty());
    }
    if (unshare.isEmpty()) {
      return new NamespaceSupport(
          false,
          "the program unshare is not installed, which a process of many threads such as this one needs to enter a user namespace",
          Optional.of("sudo apt-get install util-linux"));
    }
    Optional<String> complaint = probe(unshare.get());
    if (complaint.isEmpty()) {
      return new NamespaceSupport(
          true, "this user may have a user and network namespace", Optional.empty());
    }
    for (Setting setting : SETTINGS) {
      if (setting.forbids()) {
        return new NamespaceSupport(
            false,
            "the kernel forbids it by %s = %s".formatted(setting.name(), setting.forbidding()),
            Optional.of("sudo sysctl -w %s=%s".formatted(setting.name(), setting.permitting())));
      }
    }
    return new NamespaceSupport(
        false, "unshare was refused (%s)".formatted(complaint.get()), Optional.empty());
  }

  /**
   * The command that runs another in new user and network namespaces with all rights there. The
   * administrator needs no user namespace, in which other users, such as a database's, would be
   * missing.
   */
  static List<String> command(Path unshare) {
    return isAdministrator()
        ? List.of(unshare.toString(), "--net", "--")
        : List.of(unshare.toString(), "--user", "--net", "--map-current-user", "--keep-caps", "--");
  }

  /** Whether this is user 0 of a system with more users than that one. */
  private static boolean isAdministrator() {
    try {
      Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      List<String> mapped = Files.readAllLines(Path.of("/proc/self/uid_map"));
      return Integer.valueOf(0).equals(user)
          && mapped.stream().anyMatch(range -> !range.strip().endsWith(" 1"));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * The failure, if anything went wrong. Making a host-name namespace inside shows that the rights
   * there count: AppArmor may give the namespace and yet refuse every right in it.
   */
  private static Optional<String> probe(Path unshare) {
    List<String> command = new ArrayList<>(command(unshare));
    command.addAll(List.of(unshare.toString(), "--uts", "true"));
    try {
      ShortCommand.Result result =
          ShortCommand.of(command).withEnvironment(Map.of("LC_ALL", "C")).unkept().run();
      return result.isSuccess()
          ? Optional.empty()
          : Optional.of(result.output().strip().lines().findFirst().orElse("it said nothing"));
    } catch (InterruptedIOException e) {
      return Optional.of("interrupted");
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
