# SPDX-License-Identifier: Zlib
# The words of Homebrew that packaging/homebrew uses, as far as they need no Homebrew: the archive is checked and unpacked, built, installed
# and asked. ruby formula.rb RECIPE FOLDER
require "digest"
require "fileutils"
require "open3"
require "pathname"

class Formula
  class << self
    attr_reader :test_block
    %w[desc homepage url sha256 license].each { |word| define_method(word) { |value = nil| value ? instance_variable_set("@#{word}", value) : instance_variable_get("@#{word}") } }
    def depends_on(*) = nil
    def uses_from_macos(*) = nil
    def test(&block) = @test_block = block
  end

  def initialize(folder) = @folder = Pathname(folder)
  def bin = @folder/"keg/bin"
  def version = self.class.url[/teemap-([0-9.]+)-source/, 1]
  def rpath = "$ORIGIN/../lib"
  def std_cmake_args = ["-DCMAKE_INSTALL_PREFIX=#{@folder/"keg"}", "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_BUILD_TYPE=Release"]
  def system(*words) = Kernel.system(*words.map(&:to_s), out: File::NULL) || abort("#{words.join(" ")}: failed")
  def shell_output(line) = Open3.capture2(line).then { |out, status| status.success? ? out : abort("#{line}: failed") }
  def assert_match(expected, actual) = actual.include?(expected) || abort("no '#{expected}' in: #{actual}")
end

recipe, folder = ARGV
load recipe
FileUtils.mkdir_p(folder)
archive = Teemap.url.delete_prefix("file://")
abort("#{archive}: its SHA-256 is another one") unless Digest::SHA256.file(archive).hexdigest == Teemap.sha256
Kernel.system("tar", "-xf", archive, "-C", folder, "--strip-components=1", exception: true)
Dir.chdir(folder) do
  formula = Teemap.new(Dir.pwd)
  formula.install
  formula.instance_eval(&Teemap.test_block)
end
