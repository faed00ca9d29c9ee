package org.terrace.capture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.terrace.core.TimeSource;
import org.terrace.wire.file.PcapngHeader;

/** Runs a main class of the tests as the user nobody, from copies that this user may read. */
final class CommandAsUser {
  private static final String NOBODY = "65534";
  private static final long LIMIT_SECONDS = 60;

  record Result(int exitCode, String output) {}

  private final Path folder;

  private CommandAsUser(Path folder) {
    this.folder = folder;
  }

  /** The reason for which this machine cannot do it; empty if it can. */
  static Optional<String> obstacle() {
    if (CaptureRights.userId() != 0) {
      return Optional.of("changing to the user nobody takes root");
    }
    if (CaptureSystem.program("setpriv").isEmpty()) {
      return Optional.of("setpriv (package util-linux) is not installed");
    }
    Path java = Path.of(System.getProperty("java.home"));
    for (Path part = java; part != null; part = part.getParent()) {
      try {
        if (!PosixFilePermissions.toString(Files.getPosixFilePermissions(part)).endsWith("x")) {
          return Optional.of("the user nobody may not reach " + java);
        }
      } catch (IOException e) {
        return Optional.of(e.toString());
      }
    }
    return Optional.empty();
  }

  /** Copies the classes of the tests and of what they test to a folder that everyone may read. */
  static CommandAsUser prepare() throws IOException {
    Path folder = Files.createTempDirectory("terrace-capture-test");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    CommandAsUser command = new CommandAsUser(folder);
    for (Class<?> each :
        List.of(CommandAsUser.class, PacketCapture.class, PcapngHeader.class, TimeSource.class)) {
      command.copy(Path.of(each.getProtectionDomain().getCodeSource().getLocation().getPath()));
    }
    return command;
  }

  /** A folder in which the user may write. */
  Path folder() {
    return folder;
  }

  ProcessBuilder builder(List<String> before, Class<?> mainClass, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--"));
    command.addAll(before);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            folder.resolve("classes").toString(),
            mainClass.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).directory(folder.toFile());
  }

  Result run(Class<?> mainClass, String... arguments) throws Exception {
    Process process = builder(List.of(), mainClass, arguments).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("still running after a minute: " + output);
    }
    return new Result(process.exitValue(), output);
  }

  void delete() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void copy(Path classes) throws IOException {
    Path target = folder.resolve("classes");
    if (Files.isDirectory(classes)) {
      copyTree(classes, target);
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(classes)) {
      copyTree(jar.getPath("/"), target);
    }
  }

  private static void copyTree(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path copy = target.resolve(source.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.write(copy, Files.readAllBytes(file));
        }
      }
    }
  }
}
