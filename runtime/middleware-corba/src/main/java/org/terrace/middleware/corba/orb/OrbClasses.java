package org.terrace.middleware.corba.orb;

/** Lets an ORB find its own classes: it looks for them through the thread's class loader. */
final class OrbClasses implements AutoCloseable {
  private final Thread thread = Thread.currentThread();
  private final ClassLoader before = thread.getContextClassLoader();

  /** From now on this thread finds the ORB's classes. */
  OrbClasses() {
    thread.setContextClassLoader(OrbClasses.class.getClassLoader());
  }

  @Override
  public void close() {
    thread.setContextClassLoader(before);
  }
}
