package org.terrace.distribution.rules;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.core.process.Keeper;

/**
 * The numbers of the ratchets as they were committed before: on a branch, where it left the main
 * branch; on the main branch itself, before the last commit that changed them.
 */
final class RatchetHistory {
  private static final List<String> MAIN_BRANCHES = List.of("main", "origin/main");

  private final Path root;

  private RatchetHistory(Path root) {
    this.root = root;
  }

  /** The text of a file of the project before, or the reason why there is none to compare with. */
  record Before(Optional<String> text, String reason) {}

  /**
   * Reads what the file was before.
   *
   * @param root the project's folder
   * @param file relative to it
   */
  static Before of(Path root, Path file) throws IOException, InterruptedException {
    return new RatchetHistory(root.toRealPath()).before(file);
  }

  private Before before(Path file) throws IOException, InterruptedException {
    Optional<String> top = git("rev-parse", "--show-toplevel");
    if (top.isEmpty() || !Path.of(top.get().strip()).equals(root)) {
      return new Before(Optional.empty(), root + " is no git repository, or there is no git");
    }
    String head = git("rev-parse", "HEAD").orElse("").strip();
    String base = head;
    for (String branch : MAIN_BRANCHES) {
      if (base.equals(head)) {
        base = git("merge-base", "HEAD", branch).map(String::strip).orElse(head);
      }
    }
    String commit = base;
    if (base.equals(head)) {
      String last = git("log", "-1", "--format=%H", "--", file.toString()).orElse("").strip();
      commit = (last.isEmpty() ? "HEAD" : last) + "~1";
    }
    Optional<String> text = git("show", commit + ":" + file);
    return new Before(text, text.isPresent() ? "" : commit + " is not there, or has no " + file);
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
