package org.terrace.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.cli.output.NewFile;
import org.terrace.specification.SpecificationTemplate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code terrace init}: a commented specification to begin with. */
@Command(
    name = "init",
    description = {
      "Writes a commented specification to begin with, which runs as it is.",
      "It asks nothing, and never writes over a file. An experiment is the bulletin board that",
      "Terrace brings, under load and with a fault; a mesh has it in two configurations under two",
      "loads; a program is a service of your own under load, at first the JDK's web server."
    },
    footer = {
      "",
      "Examples:",
      "  terrace init",
      "  terrace init shop.yaml --kind program",
      "  terrace init overnight.yaml --kind mesh",
      "  terrace run experiment.yaml --dry-run",
      "  terrace run experiment.yaml",
      "",
      "Exit codes: 0 good; 2 bad input: the file is there already, or cannot be written."
    })
final class InitCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "the file; default: the kind with .yaml, such as experiment.yaml")
  private @Nullable Path file;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "experiment (the default), mesh or program")
  private SpecificationTemplate kind = SpecificationTemplate.EXPERIMENT;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    Path target = file == null ? Path.of(kind.fileName()) : file;
    NewFile.write(target, kind.text());
    console.message("Written: %s", target);
    console.message("Next: terrace run %s --dry-run, and without --dry-run", target);
    return 0;
  }
}
