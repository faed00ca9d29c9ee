package org.terrace.capture;

/** Prints what its user may do. */
public final class RightsCommand {
  private RightsCommand() {}

  /** Prints the rights. */
  public static void main(String[] arguments) {
    CaptureRights rights = CaptureRights.ofThisProcess();
    System.out.println("capability " + rights.capability() + " builtIn " + rights.builtIn());
    System.out.println(rights.detail() + " | " + rights.remedy());
    System.out.println("program " + CaptureRights.permittedProgram());
    NamespaceSupport support = NamespaceSupport.ofThisUser();
    System.out.println("namespace " + support.permitted() + " | " + support.detail());
  }
}
