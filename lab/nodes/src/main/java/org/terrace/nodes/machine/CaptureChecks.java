package org.terrace.nodes.machine;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.terrace.capture.CaptureRights;
import org.terrace.capture.NamespaceSupport;

/** The checks of whether and how packets can be captured here. Stateless. */
final class CaptureChecks {
  private static final String CAPTURE = "seeing every request on the wire";
  private static final String NAMESPACE =
      "capturing a run of an ordinary user, in a network of its own";

  private CaptureChecks() {}

  static List<Callable<MachineCheck>> all() {
    return List.of(CaptureChecks::capture, CaptureChecks::namespaces);
  }

  /** Required by any of three ways: the own right, a program's right, a namespace. */
  private static MachineCheck capture() {
    CaptureRights rights = CaptureRights.ofThisProcess();
    if (rights.builtIn()) {
      return MachineCheck.present("packet capture", rights.detail(), CAPTURE);
    }
    Optional<String> program =
        CaptureRights.permittedProgram().map(method -> method.name().toLowerCase(Locale.ROOT));
    if (program.isPresent()) {
      return MachineCheck.present(
          "packet capture", program.get() + " may capture for this user", CAPTURE);
    }
    NamespaceSupport namespaces = NamespaceSupport.ofThisUser();
    if (namespaces.permitted()) {
      return MachineCheck.present(
          "packet capture",
          "not on this machine's own network, but a run places itself in a namespace where it may",
          CAPTURE);
    }
    return MachineCheck.required(
        "packet capture",
        rights.detail(),
        CAPTURE,
        namespaces.remedy().isPresent() ? namespaces.remedy() : rights.remedy());
  }

  private static MachineCheck namespaces() {
    NamespaceSupport support = NamespaceSupport.ofThisUser();
    return support.permitted()
        ? MachineCheck.present("user namespaces", support.detail(), NAMESPACE)
        : MachineCheck.optional("user namespaces", support.detail(), NAMESPACE, support.remedy());
  }
}
