package org.terrace.control.launcher;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A command that starts a JVM, as far as the classes are concerned that it loads. Immutable.
 *
 * @param program the word that starts it
 * @param options what follows up to the main class or the jar
 * @param classPath the files that classes come from
 * @param main the main class, or the jar
 */
record ArchivableCommand(String program, List<String> options, List<Path> classPath, String main) {
  private static final Set<String> WITH_VALUE =
      Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "-m", "--module");
  private static final Set<String> OF_CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");

  /** Whoever sets one of these sees to the archive alone, or has classes that none can hold. */
  private static final List<String> OWN_WAYS =
      List.of(
          "-Xshare:off",
          "-Xshare:dump",
          "-XX:SharedArchiveFile",
          "-XX:ArchiveClassesAtExit",
          "-XX:AOT",
          "-javaagent",
          "-p",
          "--module");

  private static final int FINGERPRINT_BYTES = 12;

  ArchivableCommand {
    options = List.copyOf(options);
    classPath = List.copyOf(classPath);
  }

  /** The command in these words, if it is one whose classes can be archived. */
  static Optional<ArchivableCommand> parse(List<String> words) {
    Path program = Path.of(words.getFirst());
    if (!String.valueOf(program.getFileName()).equals("java")) {
      return Optional.empty();
    }
    List<String> options = new ArrayList<>();
    List<Path> classPath = new ArrayList<>();
    int at = 1;
    for (; at < words.size() && words.get(at).startsWith("-"); at++) {
      String word = words.get(at);
      if (OWN_WAYS.stream().anyMatch(word::startsWith)) {
        return Optional.empty();
      } else if (word.equals("-jar") && at + 1 < words.size()) {
        Path jar = Path.of(words.get(at + 1));
        return archivable(program, options, List.of(jar), "-jar " + jar);
      }
      options.add(word);
      if (WITH_VALUE.contains(word) && at + 1 < words.size()) {
        at++;
        options.add(words.get(at));
        if (OF_CLASS_PATH.contains(word)) {
          classPath = files(words.get(at));
        }
      }
    }
    return at == words.size()
        ? Optional.empty()
        : archivable(program, options, classPath, words.get(at));
  }

  /** An archive cannot hold classes from folders; a class path of files is all it knows. */
  private static Optional<ArchivableCommand> archivable(
      Path program, List<String> options, List<Path> classPath, String main) {
    return classPath.isEmpty() || !classPath.stream().allMatch(Files::isRegularFile)
        ? Optional.empty()
        : Optional.of(new ArchivableCommand(program.toString(), options, classPath, main));
  }

  private static List<Path> files(String classPath) {
    List<Path> files = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (String.valueOf(path.getFileName()).equals("*") && path.getParent() != null) {
        try (Stream<Path> all = Files.list(path.getParent())) {
          all.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(files::add);
        } catch (IOException e) {
          return List.of();
        }
      } else {
        files.add(path);
      }
    }
    return files;
  }

  /** The same for two commands if and only if one archive serves both. */
  String fingerprint() {
    StringBuilder text = new StringBuilder(program).append('\n').append(main);
    options.forEach(option -> text.append('\n').append(option));
    try {
      for (Path file : classPath) {
        text.append('\n').append(file).append(' ').append(Files.size(file)).append(' ');
        text.append(Files.getLastModifiedTime(file).toMillis());
      }
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, FINGERPRINT_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
