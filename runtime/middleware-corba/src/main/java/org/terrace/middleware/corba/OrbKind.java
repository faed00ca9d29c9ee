package org.terrace.middleware.corba;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Properties;

/** The ORBs, with the names of their libraries and their own settings. */
public enum OrbKind {
  /** JacORB: LGPL. */
  JACORB(
      "jacorb",
      "org.jacorb:jacorb:3.9 and org.jboss.spec.javax.rmi:jboss-rmi-api_1.0_spec:1.0.6.Final") {
    @Override
    List<String> jarPrefixes() {
      return List.of("jacorb-", "jboss-rmi-api");
    }

    @Override
    public Properties clientProperties() {
      Properties settings = common();
      settings.setProperty("jacorb.retries", "0");
      settings.setProperty("jacorb.connection.client.connect_timeout", CONNECT_MILLIS);
      settings.setProperty("jacorb.connection.client.pending_reply_timeout", REPLY_MILLIS);
      return settings;
    }

    @Override
    public Properties serverProperties(InetSocketAddress address) {
      Properties settings = common();
      settings.setProperty("OAIAddr", address.getAddress().getHostAddress());
      settings.setProperty("OAPort", Integer.toString(address.getPort()));
      settings.setProperty("jacorb.poa.thread_pool_max", SERVER_THREADS);
      settings.setProperty("jacorb.poa.queue_wait", "on");
      return settings;
    }

    private static Properties common() {
      Properties settings = new Properties();
      settings.setProperty("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
      settings.setProperty("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
      settings.setProperty("jacorb.log.default.verbosity", "0");
      settings.setProperty("jacorb.maxManagedBufSize", "24");
      return settings;
    }
  },

  /** The ORB of GlassFish: Eclipse Distribution License 1.0. */
  GLASSFISH(
      "glassfish",
      "org.glassfish.corba:glassfish-corba-orb:5.0.0 and org.glassfish.gmbal:gmbal-api-only:4.0.3") {
    @Override
    List<String> jarPrefixes() {
      return List.of("glassfish-corba-", "pfl-", "gmbal-", "management-api", "asm-", "osgi.core-");
    }

    @Override
    public Properties clientProperties() {
      Properties settings = common();
      settings.setProperty("com.sun.corba.ee.transport.ORBTCPConnectTimeouts", "1:5:100:5");
      settings.setProperty("com.sun.corba.ee.transport.ORBCommunicationsRetryTimeout", "5");
      settings.setProperty("com.sun.corba.ee.transport.ORBWaitForResponseTimeout", REPLY_MILLIS);
      return settings;
    }

    @Override
    public Properties serverProperties(InetSocketAddress address) {
      Properties settings = common();
      String host = address.getAddress().getHostAddress();
      settings.setProperty("com.sun.corba.ee.ORBServerHost", host);
      settings.setProperty("com.sun.corba.ee.ORBListenOnAllInterfaces", "false");
      settings.setProperty("com.sun.corba.ee.ORBServerPort", Integer.toString(address.getPort()));
      return settings;
    }

    private static Properties common() {
      Properties settings = new Properties();
      settings.setProperty("org.omg.CORBA.ORBClass", "com.sun.corba.ee.impl.orb.ORBImpl");
      settings.setProperty(
          "org.omg.CORBA.ORBSingletonClass", "com.sun.corba.ee.impl.orb.ORBSingleton");
      return settings;
    }
  };

  private static final String CONNECT_MILLIS = "5000";

  /** The time after which a call that nobody waits for is given up, so that it frees its thread. */
  private static final String REPLY_MILLIS = "60000";

  private static final String SERVER_THREADS = "1024";

  private final String middleware;
  private final String coordinates;

  OrbKind(String middleware, String coordinates) {
    this.middleware = middleware;
    this.coordinates = coordinates;
  }

  /** The middleware's name in an endpoint. */
  public String middleware() {
    return middleware;
  }

  /** The Maven coordinates of the library for the class path. */
  String coordinates() {
    return coordinates;
  }

  /** The prefixes of the file names of its libraries. */
  abstract List<String> jarPrefixes();

  /** The settings of an ORB that only calls. */
  public abstract Properties clientProperties();

  /** The settings of an ORB that listens there. */
  public abstract Properties serverProperties(InetSocketAddress address);

  /** Runs something while a property of the program has a value; one thread at a time. */
  public static synchronized void withProperty(String name, String value, Runnable action) {
    String before = System.getProperty(name);
    System.setProperty(name, value);
    try {
      action.run();
    } finally {
      if (before == null) {
        System.clearProperty(name);
      } else {
        System.setProperty(name, before);
      }
    }
  }
}
