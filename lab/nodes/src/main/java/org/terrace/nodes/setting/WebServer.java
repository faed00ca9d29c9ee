package org.terrace.nodes.setting;

/** The program that plays a web server. */
public enum WebServer {
  /** The reverse proxy that comes with Terrace. */
  PROXY,
  /** Apache's httpd as Debian installs it. */
  APACHE
}
