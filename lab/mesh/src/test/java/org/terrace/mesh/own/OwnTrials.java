package org.terrace.mesh.own;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.process.JavaCommand;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialPhase;
import org.terrace.experiment.TrialRunner;
import org.terrace.specification.SpecificationReader;

/** Trials of programs of one's own, which need nothing of the distribution but the users. */
final class OwnTrials {
  static final Path ROOT = Path.of(System.getProperty("terrace.root"));

  private OwnTrials() {}

  static TrialOptions options() {
    String classpath = System.getProperty("java.class.path");
    return new TrialOptions(JavaCommand.program(), classpath, classpath, classpath);
  }

  /** A committed specification, with a network of its own, as if it stood beside the programs. */
  static String committed(String file, String network) throws IOException {
    return Files.readString(ROOT.resolve("experiments").resolve(file))
        + "network: "
        + network
        + "\n";
  }

  /** Runs a specification as if it were a file in the directory of experiments. */
  static Trial run(String specification, Path directory, List<String> told)
      throws InterruptedException {
    return run(ROOT.resolve("experiments/test.yaml"), specification, directory, told);
  }

  static Trial run(Path file, String specification, Path directory, List<String> told)
      throws InterruptedException {
    Experiment experiment = SpecificationReader.read(file.toString(), specification);
    return new TrialRunner(options(), new Told(told)).run(experiment, specification, directory);
  }

  static List<String> told() {
    return new ArrayList<>();
  }

  /** The words that a trial says while it runs. */
  private record Told(List<String> told) implements TrialListener {
    @Override
    public void phase(TrialPhase phase) {
      told.add(phase.name());
    }

    @Override
    public void message(String text) {
      told.add(text);
    }

    @Override
    public void progress(String json) {
      told.add(json);
    }
  }
}
