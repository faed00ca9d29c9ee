package org.terrace.mesh;

import java.nio.file.Path;
import org.terrace.hosts.Target;
import org.terrace.scaling.bottleneck.Bottleneck;
import org.terrace.scaling.bottleneck.BottleneckMap;

/**
 * A mesh of a server with large answers and a slow link; to be run in a network namespace of its
 * own. It prints what limits them under the greater of two loads.
 */
final class PlantedNetworkProgram {
  private PlantedNetworkProgram() {}

  /** Arguments: the folder of the trials. */
  public static void main(String[] arguments) throws InterruptedException {
    String text =
        PlantedBottleneckTest.specification(
                "network", "127.48", "[1, 24]", "limits: {app1: {network: 256k}}", "15s", "1s")
            .replace("0/2/0/0", "0/1/0/0"); // users of another would go on as before
    BottleneckMap map =
        PlantedBottleneckTest.map(text, Path.of(arguments[0]), new Target.Namespaces(), _ -> {});
    System.out.println(map.cells());
    Bottleneck found = map.cells().getLast().bottleneck();
    System.out.println("limited " + map.cells().getLast().limited());
    System.out.println("kind " + found.kind());
    found
        .resources()
        .forEach(each -> System.out.println("saturated " + each.node() + " " + each.resource()));
    System.exit(0);
  }
}
