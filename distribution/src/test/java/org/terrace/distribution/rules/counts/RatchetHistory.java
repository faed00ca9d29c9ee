package org.terrace.distribution.rules.counts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.core.process.Keeper;

/**
 * The numbers of the ratchets as they were committed before: in every commit that led to this one,
 * so that a number that rose is found however long ago, and whether or not it fell again in part.
 */
public final class RatchetHistory {
  private final Path root;

  private RatchetHistory(Path root) {
    this.root = root;
  }

  /**
   * Reads what the file was before.
   *
   * @param root the project's folder
   * @param file relative to it
   */
  static RatchetNames.Before of(Path root, Path file) throws IOException, InterruptedException {
    return new RatchetHistory(root.toRealPath()).before(file);
  }

  private RatchetNames.Before before(Path file) throws IOException, InterruptedException {
    Optional<String> top = git("rev-parse", "--show-toplevel");
    if (top.isEmpty() || !Path.of(top.get().strip()).equals(root)) {
      return new RatchetNames.Before(
          List.of(), List.of(), root + " is no git repository, or there is no git");
    }
    List<String> texts = texts(file, "--full-history");
    List<String> first = texts(file, "--full-history", "--diff-filter=A");
    return new RatchetNames.Before(
        texts, first, texts.isEmpty() ? "no commit that is here has " + file : "");
  }

  private List<String> texts(Path file, String... choice) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("log", "--format=%H"));
    command.addAll(List.of(choice));
    command.addAll(List.of("HEAD", "--", file.toString()));
    List<String> texts = new ArrayList<>();
    for (String commit : git(command.toArray(String[]::new)).orElse("").lines().toList()) {
      git("show", commit + ":" + file).ifPresent(texts::add); // not where it was removed
    }
    return texts;
  }

  private Optional<String> git(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(words));
    Path messages = Files.createTempFile("git", ".txt");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(messages.toFile());
      // A repository around this one, as while a hook of git runs, is not meant.
      builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
      Process process = Keeper.ofThisProcess().start(builder);
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // there is no git
    } finally {
      Files.delete(messages);
    }
  }
}
