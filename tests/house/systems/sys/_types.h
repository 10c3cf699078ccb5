/* gcc asks for it where __FreeBSD__ is defined; what it would say, this machine says elsewhere. */
