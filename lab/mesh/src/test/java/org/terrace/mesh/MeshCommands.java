package org.terrace.mesh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.terrace.core.FileTree;
import org.terrace.core.TimeSource;
import org.terrace.scaling.MeshTrial;
import org.terrace.specification.Keep;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;
import org.terrace.specification.SpecificationReader;

/**
 * Commands that run a mesh of made-up trials into a real directory, and are killed: of a killed one
 * the directory keeps what it had at that moment. Confined to one thread.
 */
final class MeshCommands {
  private final Path directory;
  private final Path killedAt;
  private final Outcomes outcomes;
  private final Map<String, Integer> tries = new HashMap<>();
  private final List<String> path = new ArrayList<>();
  private final List<String> chosen = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private List<String> failedConditions = List.of();

  private final MeshListener listener =
      new MeshListener() {
        @Override
        public void chosen(String reason) {
          chosen.add(reason);
        }

        @Override
        public void warning(String text) {
          told.add(text);
        }

        @Override
        public void message(String text) {
          told.add(text);
        }
      };

  /** The outcome of a trial, by how often it was tried to its end before. */
  @FunctionalInterface
  interface Outcomes {
    TrialRow of(PlannedTrial trial, int triesBefore);
  }

  /** The moment at which a command is killed. */
  enum Kill {
    /** A trial is under way. */
    WITHIN,
    /** A trial has its folder, and the mesh's file does not have it yet. */
    AFTER
  }

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * @param folder a folder of its own
   */
  MeshCommands(Path folder, Outcomes outcomes) {
    directory = folder.resolve("out");
    killedAt = folder.resolve("killed");
    this.outcomes = outcomes;
  }

  /** The trials that ended, in their order: their labels and what came of them. */
  List<String> path() {
    return List.copyOf(path);
  }

  /** The reasons for which trials were chosen. */
  List<String> chosen() {
    return List.copyOf(chosen);
  }

  /** The warnings and messages of all commands. */
  List<String> told() {
    return List.copyOf(told);
  }

  Path directory() {
    return directory;
  }

  /** Lets the commands from here on find that these conditions failed, a sentence each. */
  void judging(List<String> sentences) {
    failedConditions = List.copyOf(sentences);
  }

  /** Runs a command to its end. */
  MeshResults run(String text) {
    return runner(Integer.MAX_VALUE, Kill.WITHIN, text);
  }

  /** Runs a command that is killed in one of its trials; its results if it ended before. */
  Optional<MeshResults> killed(String text, int trial, Kill moment) {
    try {
      return Optional.of(runner(trial, moment, text));
    } catch (Killed e) {
      try {
        FileTree.delete(directory);
        Files.move(killedAt, directory, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
      return Optional.empty();
    }
  }

  /** The most trials that a dry run foresees, and its warnings. */
  record Forecast(int most, List<String> warnings) {}

  /** Looks at what a command would do. */
  Forecast forecast(String text) {
    int before = told.size();
    MeshForecast forecast =
        new MeshRunner(
                _ -> MadeUpTrials.SURROUNDINGS,
                (turn, folder) -> {
                  throw new IllegalStateException("a dry run runs nothing");
                },
                listener,
                TimeSource.system())
            .forecast(SpecificationReader.readMesh("made-up.yaml", text), directory);
    return new Forecast(forecast.most(), List.copyOf(told.subList(before, told.size())));
  }

  private MeshResults runner(int killed, Kill moment, String text) {
    MeshSpecification mesh = SpecificationReader.readMesh("made-up.yaml", text);
    TrialWork work =
        new TrialWork() {
          private int run;

          @Override
          public TrialRow run(TrialTurn turn, MeshFolder folder) {
            run++;
            return ended(
                turn, folder, run == killed ? Optional.of(moment) : Optional.<Kill>empty());
          }

          @Override
          public List<String> failedConditions(
              MeshSpecification judged, List<MeshTrial> trials, Path place) {
            return failedConditions;
          }
        };
    try {
      return new MeshRunner(_ -> MadeUpTrials.SURROUNDINGS, work, listener, TimeSource.system())
          .run(mesh, text, directory);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private TrialRow ended(TrialTurn turn, MeshFolder folder, Optional<Kill> kill) {
    folder.begin(turn.key());
    if (kill.equals(Optional.of(Kill.WITHIN))) {
      kill();
    }
    int before = tries.merge(turn.key(), 1, Integer::sum) - 1;
    TrialRow made = outcomes.of(turn.planned(), before);
    int round = turn.round().number();
    TrialRow row = new TrialRow(made.trial(), made.reasons(), made.wallSeconds(), round);
    folder.finish(turn.key(), row, Keep.DEFAULT);
    path.add(turn.planned().label() + " " + row.trial().status());
    if (kill.isPresent()) {
      kill();
    }
    return row;
  }

  private void kill() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Path copy = killedAt.resolve(directory.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new Killed();
  }
}
