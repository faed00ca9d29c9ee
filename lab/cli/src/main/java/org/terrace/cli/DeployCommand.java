package org.terrace.cli;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.cli.kubernetes.KubernetesOptions;
import org.terrace.cli.kubernetes.ManifestFile;
import org.terrace.cli.kubernetes.Manifests;
import org.terrace.cli.output.NewFile;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;
import org.terrace.specification.SpecificationReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace deploy}: an experiment's servers as manifests for another platform. */
@Command(
    name = "deploy",
    description = {
      "Prints an experiment's servers as manifests for Kubernetes.",
      "It asks no cluster for anything: the manifests go to standard output or into a directory."
          + " Their",
      "head says which secrets to create first, and what of the specification is not as in the"
          + " lab:",
      "users, faults and captures are not deployed."
    },
    footer = {
      "",
      "Examples:",
      "  terrace deploy experiments/quickstart.yaml --print kubernetes",
      "  terrace deploy experiments/quickstart.yaml --print kubernetes --out manifests",
      "  terrace deploy board.yaml --print kubernetes --image example.com/terrace:1",
      "  terrace deploy shop.yaml --print kubernetes --image app=example.com/shop:2",
      "",
      "Exit codes: 0 good; 2 bad input: the specification, or what Kubernetes cannot do as the lab."
    })
final class DeployCommand implements Callable<Integer> {
  /** The platforms for which there are manifests. */
  enum Platform {
    KUBERNETES
  }

  private static final String IMAGE = "terrace:0.1.0";
  private static final String KIND = "Experiment";
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern QUANTITY = Pattern.compile("[1-9][0-9]{0,8}(Ki|Mi|Gi|Ti)");
  private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SPEC", description = "the experiment, a YAML file")
  private Path specification = Path.of("");

  @Option(
      names = "--print",
      required = true,
      paramLabel = "PLATFORM",
      description = "kubernetes, the only one so far")
  private Platform platform = Platform.KUBERNETES;

  @Option(
      names = "--image",
      paramLabel = "[TIER=]IMAGE",
      description =
          "the image of Terrace (default: "
              + IMAGE
              + "), or with web=, app=, middleware= or database= that of a tier; may be repeated")
  private List<String> images = List.of();

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "the namespace of all objects; default: that of whoever applies them")
  private @Nullable String namespace;

  @Option(
      names = "--storage",
      paramLabel = "SIZE",
      description = "the size of each volume; default: ${DEFAULT-VALUE}")
  private String storage = "2Gi";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "a directory for a file an object; default: standard output")
  private @Nullable Path output;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    KubernetesOptions options = options();
    Experiment experiment = experiment();
    return switch (platform) {
      case KUBERNETES -> write(Manifests.files(specification.toString(), experiment, options));
    };
  }

  private Experiment experiment() {
    String name = specification.toString();
    String text = SpecificationReader.text(specification);
    String kind = SpecificationReader.kind(name, text).orElse(KIND);
    if (!kind.equals(KIND)) {
      throw bad("%s is of kind %s; expected kind: Experiment, one deployment", name, kind);
    }
    return SpecificationReader.read(name, text);
  }

  private KubernetesOptions options() {
    if (namespace != null && !LABEL.matcher(namespace).matches()) {
      throw bad("--namespace is '%s', expected at most 63 of a-z, 0-9 and '-'", namespace);
    }
    if (!QUANTITY.matcher(storage).matches()) {
      throw bad("--storage is '%s', expected a size such as 512Mi or 2Gi", storage);
    }
    Map<String, String> ofTiers = new TreeMap<>();
    String own = IMAGE;
    for (String image : images) {
      int equals = image.indexOf('=');
      String reference = image.substring(equals + 1);
      if (!REFERENCE.matcher(reference).matches()
          || (equals >= 0 && !isTier(image.substring(0, equals)))) {
        throw bad(
            "--image is '%s', expected an image such as example.com/terrace:1, or web=, app=,"
                + " middleware= or database= before it",
            image);
      }
      if (equals >= 0) {
        ofTiers.put(image.substring(0, equals), reference);
      } else {
        own = reference;
      }
    }
    return new KubernetesOptions(Optional.ofNullable(namespace), ofTiers, own, storage);
  }

  private static boolean isTier(String word) {
    for (Tier tier : Tier.values()) {
      if (tier.label().equals(word)) {
        return true;
      }
    }
    return false;
  }

  private int write(List<ManifestFile> files) {
    if (output == null) {
      spec.commandLine().getOut().print(Manifests.text(files));
      spec.commandLine().getOut().flush();
      return 0;
    }
    Path directory = output;
    files.forEach(file -> NewFile.requireFree(directory.resolve(file.name())));
    files.forEach(file -> NewFile.write(directory.resolve(file.name()), file.text()));
    console.message("Written: %d manifests in %s", files.size(), directory);
    console.message(
        "Next: the secrets that %s names, then", directory.resolve(files.getFirst().name()));
    console.message("      kubectl apply -f %s", directory);
    return 0;
  }

  @FormatMethod
  private static TerraceException bad(@FormatString String format, Object... arguments) {
    return new TerraceException(ErrorCode.BAD_INPUT, format.formatted(arguments));
  }
}
